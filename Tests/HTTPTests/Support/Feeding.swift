import Testing

@testable import HTTP

/// What bytes come to: each request's method, target and content, and the refusal that ended them, if any.
struct Outcome: Equatable {
    var requests: [String] = []
    var rejection: Rejection?
    /// After how many bytes the refusal came.
    var refusedAfter: Int?
    var awaitsMore = false
}

/// Feeds pieces as a connection would get them, keeping what is not yet decoded.
///
/// On the way it makes sure of what must hold for any bytes: nothing is taken that has not come, the content lies within
/// what was taken, and a refusal is final.
func decode(_ pieces: [ArraySlice<UInt8>], limits: RequestLimits = RequestLimits()) -> Outcome {
    var outcome = Outcome()
    var decoder = RequestDecoder(limits: limits)
    var head = RequestHead()
    var buffer: [UInt8] = []
    var fed = 0
    for piece in pieces where outcome.rejection == nil {
        buffer += piece
        fed += piece.count
        decoding: while true {
            switch decoder.next(buffer.span, into: &head) {
            case .incomplete: break decoding
            case .rejected(let rejection):
                outcome.rejection = rejection
                outcome.refusedAfter = fed
                break decoding
            case .request(let consumed, let content):
                outcome.requests.append(describe(head, content, buffer, consumed: consumed))
                buffer.removeFirst(min(consumed, buffer.count))
            }
        }
    }
    if let rejection = outcome.rejection, decoder.next(goodRequest.span, into: &head) != .rejected(rejection) {
        Issue.record("something is read after \(rejection)")
    }
    outcome.awaitsMore = outcome.rejection == nil && !buffer.isEmpty
    return outcome
}

private let goodRequest = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

private func describe(_ head: RequestHead, _ content: Content, _ bytes: [UInt8], consumed: Int) -> String {
    if consumed > bytes.count { Issue.record("\(consumed) bytes taken of \(bytes.count)") }
    if case .inline(let range) = content, range.end != consumed { Issue.record("content ends off the request's end") }
    let target = String(decoding: bytes.span.array(head.target), as: UTF8.self)
    return "\(head.method) \(target) \(String(decoding: content.bytes(in: bytes.span), as: UTF8.self))"
}

/// The same bytes in two pieces.
func decode(_ bytes: [UInt8], splitAt place: Int, limits: RequestLimits = RequestLimits()) -> Outcome {
    decode([bytes[..<place], bytes[place...]], limits: limits)
}

/// The same bytes one by one; here alone it shows after which of them they were refused.
func decodeByteByByte(_ bytes: [UInt8], limits: RequestLimits = RequestLimits()) -> Outcome {
    decode(bytes.indices.map { bytes[$0...$0] }, limits: limits)
}

/// What bytes come to, having made sure that it is the same whole, split in two at every place, and byte by byte.
func decodeEveryWay(
    _ bytes: [UInt8],
    limits: RequestLimits = RequestLimits(),
    _ location: SourceLocation = #_sourceLocation
) -> Outcome {
    var whole = decode([bytes[...]], limits: limits)
    whole.refusedAfter = nil
    func check(_ other: Outcome, _ way: @autoclosure () -> String) {
        var other = other
        other.refusedAfter = nil
        guard other != whole else { return }
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        Issue.record("\(text) \(way()): \(other), whole: \(whole)", sourceLocation: location)
    }
    for place in bytes.indices.dropFirst() { check(decode(bytes, splitAt: place, limits: limits), "split at \(place)") }
    check(decodeByteByByte(bytes, limits: limits), "byte by byte")
    return whole
}

func decodeEveryWay(
    _ text: String,
    limits: RequestLimits = RequestLimits(),
    _ location: SourceLocation = #_sourceLocation
) -> Outcome {
    decodeEveryWay(Array(text.utf8), limits: limits, location)
}

/// A request in good order, to stand before and behind others.
let neighbour = "GET /good HTTP/1.1\r\nHost: a\r\n\r\n"

/// Refused for this reason whole, split anywhere, and behind a good request; nothing after it is ever answered.
func expectRefusal(
    _ text: String,
    _ rejection: Rejection,
    limits: RequestLimits = RequestLimits(),
    _ location: SourceLocation = #_sourceLocation
) {
    let note = Comment(rawValue: text.debugDescription)
    let alone = decodeEveryWay(text, limits: limits, location)
    #expect(alone == Outcome(rejection: rejection), note, sourceLocation: location)
    let between = decodeEveryWay(neighbour + text + neighbour, limits: limits, location)
    #expect(between == Outcome(requests: ["get /good "], rejection: rejection), note, sourceLocation: location)
}

/// Read as this request whole, split anywhere, alone and between others.
func expectRequest(
    _ text: String,
    _ request: String,
    limits: RequestLimits = RequestLimits(),
    _ location: SourceLocation = #_sourceLocation
) {
    let note = Comment(rawValue: text.debugDescription)
    #expect(
        decodeEveryWay(text, limits: limits, location) == Outcome(requests: [request]),
        note,
        sourceLocation: location
    )
    let between = decodeEveryWay(neighbour + text + neighbour, limits: limits, location)
    #expect(between == Outcome(requests: ["get /good ", request, "get /good "]), note, sourceLocation: location)
}

/// The head of one whole request.
func parse(_ text: String, limits: RequestLimits = RequestLimits()) -> (head: RequestHead, bytes: [UInt8])? {
    let bytes = Array(text.utf8)
    var decoder = RequestDecoder(limits: limits)
    var head = RequestHead()
    guard case .request = decoder.next(bytes.span, into: &head) else { return nil }
    return (head, bytes)
}

/// A part of a request, as text.
func text(_ range: ByteRange, of bytes: [UInt8]) -> String { String(decoding: bytes.span.array(range), as: UTF8.self) }
