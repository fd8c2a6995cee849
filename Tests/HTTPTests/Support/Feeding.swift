@testable import HTTP

/// What bytes come to: each request's method, target and content, and the refusal that ended them, if any.
struct Outcome: Equatable {
    var requests: [String] = []
    var rejection: Rejection?
    var awaitsMore = false
}

/// Feeds pieces as a connection would get them, keeping what is not yet decoded.
func decode(_ pieces: [[UInt8]], limits: RequestLimits = RequestLimits()) -> Outcome {
    var outcome = Outcome()
    var decoder = RequestDecoder(limits: limits)
    var head = RequestHead()
    var buffer: [UInt8] = []
    for piece in pieces {
        buffer += piece
        while outcome.rejection == nil {
            let step = decoder.next(buffer.span, into: &head)
            guard case .request(let consumed, let content) = step else {
                if case .rejected(let rejection) = step { outcome.rejection = rejection }
                break
            }
            let target = String(decoding: buffer.span.array(head.target), as: UTF8.self)
            let body = String(decoding: content.bytes(in: buffer.span), as: UTF8.self)
            outcome.requests.append("\(head.method) \(target) \(body)")
            buffer.removeFirst(consumed)
        }
    }
    outcome.awaitsMore = outcome.rejection == nil && !buffer.isEmpty
    return outcome
}

/// What a text comes to, having made sure that it is the same whole, split in two at every place, and byte by byte.
func decodeEveryWay(_ text: String, limits: RequestLimits = RequestLimits()) -> Outcome? {
    let bytes = Array(text.utf8)
    let whole = decode([bytes], limits: limits)
    for split in 1..<max(2, bytes.count)
    where decode([Array(bytes[..<split]), Array(bytes[split...])], limits: limits) != whole { return nil }
    return decode(bytes.map { [$0] }, limits: limits) == whole ? whole : nil
}

/// The head of one whole request.
func parse(_ text: String, limits: RequestLimits = RequestLimits()) -> (head: RequestHead, bytes: [UInt8])? {
    let bytes = Array(text.utf8)
    var decoder = RequestDecoder(limits: limits)
    var head = RequestHead()
    guard case .request = decoder.next(bytes.span, into: &head) else { return nil }
    return (head, bytes)
}
