import HTTP

/// Any bytes as a connection's: in whatever pieces they come they are the same requests and the same refusal, and what is
/// let through is what another reader would take it for.
enum Requests {
    /// What bytes come to.
    private struct Outcome: Equatable {
        var requests: [Request] = []
        var rejection: Rejection?
        var consumed = 0
    }

    private struct Request: Equatable {
        let method: Method
        let target: [UInt8]
        let host: [UInt8]
        let path: [UInt8]
        let values: [[UInt8]]
        let content: [UInt8]
        let consumed: Int
        let keepsAlive: Bool
    }

    static func check(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        // Limits that short inputs reach as well.
        for limits in [RequestLimits(), RequestLimits(head: 160, target: 24, fields: 4, content: 12)] {
            let whole = decode(bytes, cuts: [bytes.count], limits)
            let cuts = choices.cuts(of: bytes.count)
            let pieces = decode(bytes, cuts: cuts, limits)
            expect(whole == pieces, "cut at \(cuts): \(pieces), whole: \(whole)")
        }
    }

    private static func decode(_ bytes: [UInt8], cuts: [Int], _ limits: RequestLimits) -> Outcome {
        var outcome = Outcome()
        var decoder = RequestDecoder(limits: limits)
        var head = RequestHead()
        for cut in cuts {
            while outcome.rejection == nil {
                // A copy of exactly the bytes that have come, so that a read of one more is seen.
                let piece = Array(bytes[outcome.consumed..<cut])
                let step = decoder.next(piece.span, into: &head)
                if case .incomplete = step, !decoder.awaitsContent { SecondReader.mayGoOn(piece) }
                guard take(step, piece, head, limits, into: &outcome) else { break }
            }
        }
        if let rejection = outcome.rejection {
            let good = [UInt8]("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            expect(decoder.next(good.span, into: &head) == .rejected(rejection), "something is read after \(rejection)")
        }
        return outcome
    }

    /// False where more bytes are needed.
    private static func take(
        _ step: RequestDecoder.Step,
        _ piece: [UInt8],
        _ head: borrowing RequestHead,
        _ limits: RequestLimits,
        into outcome: inout Outcome
    ) -> Bool {
        switch step {
        case .incomplete: return false
        case .rejected(let rejection): outcome.rejection = rejection
        case .request(let consumed, let content):
            expect(consumed > 0 && consumed <= piece.count, "\(consumed) bytes taken of \(piece.count)")
            let values = head.values
            let ranges = [head.target, head.path, head.host] + values
            expect(ranges.allSatisfy { $0.end <= consumed }, "an offset behind the request: \(ranges)")
            let request = Request(
                method: head.method,
                target: piece.span.array(head.target),
                host: piece.span.array(head.host),
                path: piece.span.array(head.path),
                values: values.map { piece.span.array($0) },
                content: content.bytes(in: piece.span),
                consumed: consumed,
                keepsAlive: head.keepsAlive
            )
            expect(request.content.count <= limits.content, "\(request.content.count) bytes of content")
            expect(request.target.count <= limits.target, "a target of \(request.target.count) bytes")
            let fieldCount = SecondReader.agrees(Array(piece[..<consumed]), content: request.content)
            expect(fieldCount <= limits.fields, "\(fieldCount) fields")
            _ = AcceptEncoding.prefersGzip(head, piece.span)
            _ = PathDecoder.decode(piece.span, head.path)
            outcome.requests.append(request)
            outcome.consumed += consumed
        }
        return true
    }
}

extension RequestHead {
    /// The values of all fields that something reads, in order for each name.
    var values: [ByteRange] { FieldName.allCases.flatMap(values) }

    func values(of name: FieldName) -> [ByteRange] {
        var values: [ByteRange] = []
        _ = anyValue(of: name) { value in
            values.append(value)
            return false
        }
        return values
    }
}
