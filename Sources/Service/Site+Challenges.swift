internal import HTTP
internal import Server

extension Site {
    /// Answers what asks for a challenge at a listener that only redirects; says whether it was such a request.
    ///
    /// Whatever host it names: an authority asks for names that no certificate and no tenant has yet.
    func answerChallenge(
        _ head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        into writer: inout ResponseWriter
    ) -> Bool {
        guard let challenges, head.method != .connect, !head.isForSecureOrigin, let name = Challenges.name(head, bytes)
        else { return false }
        switch head.method {
        case .get, .head:
            guard let answer = challenges.answer(to: name) else {
                writer.write(plain.problems[ProblemDetail.notFound.rawValue], from: store)
                break
            }
            writer.write(.ok, fields: answer.fields, content: answer.content)
        case .options: writer.write(plain.options[Methods.reading.rawValue], from: store)
        default: writer.write(plain.notAllowed[Methods.reading.rawValue], from: store)
        }
        return true
    }
}
