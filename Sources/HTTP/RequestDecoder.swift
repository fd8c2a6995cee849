/// A request's content.
public enum Content: Sendable, Equatable {
    /// There is none.
    case none
    /// It stands whole in the request's bytes.
    case inline(ByteRange)
    /// It came in chunks.
    case collected([UInt8])

    /// The number of its bytes.
    public var length: Int {
        switch self {
        case .none: 0
        case .inline(let range): Int(range.length)
        case .collected(let bytes): bytes.count
        }
    }

    /// The bytes, copied out of the request they came with.
    public func bytes(in request: Span<UInt8>) -> [UInt8] {
        switch self {
        case .none: []
        case .inline(let range): request.array(range)
        case .collected(let bytes): bytes
        }
    }
}

/// Turns the bytes of a connection into requests, one after another, however they come in.
///
/// The caller keeps the bytes of an unfinished request and gives them again with those that came since, so that every
/// offset stays true.
public struct RequestDecoder: Sendable {
    /// What the bytes so far come to.
    public enum Step: Sendable, Equatable {
        /// More bytes are needed; the client waits for 100 (Continue), or a final answer, before it sends them, if so said.
        case incomplete(sendsContinue: Bool)
        /// A whole request of so many bytes; the head was parsed from them.
        case request(consumed: Int, content: Content)
        /// No request; nothing after it may be read.
        case rejected(Rejection)
    }

    private enum Phase: Sendable {
        case head(HeadScanner)
        case length(head: ByteRange, end: Int)
        case chunks(head: ByteRange, decoder: ChunkedDecoder, offset: Int)
        case rejected(Rejection)
    }

    private var phase = Phase.head(HeadScanner())
    /// Of a head that has not come whole; a whole one needs none.
    private var partial = PartialHead()
    private let limits: RequestLimits

    /// A decoder at the start of a request.
    public init(limits: RequestLimits) {
        self.limits = limits
    }

    /// Whether the head is complete and content is awaited.
    public var awaitsContent: Bool {
        switch phase {
        case .head, .rejected: false
        case .length, .chunks: true
        }
    }

    /// Bytes of chunked content that it keeps.
    public var keptBytes: Int {
        guard case .chunks(_, let decoder, _) = phase else { return 0 }
        return decoder.content.count
    }

    /// Decodes the next request.
    ///
    /// - Parameter bytes: all bytes since the end of the request before.
    public mutating func next(_ bytes: Span<UInt8>, into head: inout RequestHead) -> Step {
        let step = decode(bytes, into: &head)
        if case .rejected(let rejection) = step { phase = .rejected(rejection) }
        return step
    }

    private mutating func decode(_ bytes: Span<UInt8>, into head: inout RequestHead) -> Step {
        switch phase {
        case .head(let scanner): return decodeHead(bytes, scanner, into: &head)
        case .length(let range, let end):
            guard bytes.count >= end else { return .incomplete(sendsContinue: false) }
            return finish(bytes, range, end: end, content: .inline(ByteRange(range.end, end)), into: &head)
        case .chunks(let range, var decoder, var offset):
            // Two owners of the collected content would copy it at each step.
            phase = .head(HeadScanner())
            let result = decoder.decode(bytes, from: &offset, limits: limits)
            switch result {
            case .incomplete:
                phase = .chunks(head: range, decoder: decoder, offset: offset)
                return .incomplete(sendsContinue: false)
            case .rejected(let rejection): return .rejected(rejection)
            case .complete(let end):
                return finish(bytes, range, end: end, content: .collected(decoder.content), into: &head)
            }
        case .rejected(let rejection): return .rejected(rejection)
        }
    }

    private mutating func decodeHead(
        _ bytes: Span<UInt8>,
        _ previous: HeadScanner,
        into head: inout RequestHead
    ) -> Step {
        if previous == HeadScanner(), let end = wholeHead(bytes, into: &head) {
            return .request(consumed: end, content: .none)
        }
        var scanner = previous
        let result = scanner.scan(bytes, limits: limits)
        if case .complete(let range) = result { return begin(bytes, range, into: &head) }
        // A line is refused as soon as it ends: one of HTTP/0.9 is all that its client sends.
        if previous == HeadScanner() { partial = PartialHead() }
        let refusal = partial.refusal(bytes, scanner, since: previous.scanned, limits: limits, into: &head)
        if let refusal { return .rejected(refusal) }
        if case .rejected(let rejection) = result { return .rejected(rejection) }
        phase = .head(scanner)
        return .incomplete(sendsContinue: false)
    }

    /// The end of a head that came whole, is well-formed and has no content: what nearly every request is.
    ///
    /// It needs no scanner: the bytes end as a head does, and are too few to exceed a limit of bytes.
    private func wholeHead(_ bytes: Span<UInt8>, into head: inout RequestHead) -> Int? {
        guard bytes.count >= 8, bytes.count <= min(limits.target, limits.head),
            bytes.word(at: bytes.count - 8) >> 32 == 0x0A0D_0A0D,
            let end = try? RequestParser.parse(bytes, from: 0, limits: limits, into: &head),
            head.framing == .none
        else { return nil }
        return end
    }

    private mutating func begin(_ bytes: Span<UInt8>, _ range: ByteRange, into head: inout RequestHead) -> Step {
        do throws(Rejection) {
            _ = try RequestParser.parse(bytes, from: Int(range.start), limits: limits, into: &head)
        } catch {
            return .rejected(error)
        }
        switch head.framing {
        case .none:
            phase = .head(HeadScanner())
            return .request(consumed: range.end, content: .none)
        case .length(let length):
            phase = .length(head: range, end: range.end + length)
        case .chunked:
            phase = .chunks(head: range, decoder: ChunkedDecoder(), offset: range.end)
        }
        let hasContent = bytes.count > range.end
        let step = decode(bytes, into: &head)
        guard case .incomplete = step else { return step }
        // RFC 9110 §10.1.1: content that has begun to come needs no invitation.
        return .incomplete(sendsContinue: head.expectsContinue && !hasContent)
    }

    /// The head was parsed when it came; by now the value may hold another connection's.
    private mutating func finish(
        _ bytes: Span<UInt8>,
        _ range: ByteRange,
        end: Int,
        content: Content,
        into head: inout RequestHead
    ) -> Step {
        do throws(Rejection) {
            _ = try RequestParser.parse(bytes, from: Int(range.start), limits: limits, into: &head)
        } catch {
            return .rejected(error)
        }
        phase = .head(HeadScanner())
        return .request(consumed: end, content: content)
    }
}
