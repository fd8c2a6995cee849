/// Decodes a chunked body (RFC 9112 §7.1) strictly, however the bytes come in.
struct ChunkedDecoder: Sendable, Equatable {
    enum Result: Equatable {
        case incomplete
        /// The offset after the last chunk and its trailers.
        case complete(Int)
        case rejected(Rejection)
    }

    private enum State: Equatable {
        case size(hasDigits: Bool)
        case extensions(ExtensionState)
        case sizeLineFeed
        case data
        case dataReturn
        case dataLineFeed
        case trailerStart
        case trailerName(start: Int)
        case trailerValue
        case trailerLineFeed
        case finalLineFeed
    }

    /// A place in `*( BWS ";" BWS name [ BWS "=" BWS value ] )`.
    private enum ExtensionState: Equatable {
        case before
        case nameStart
        case name
        case afterName
        case valueStart
        case value
        case quoted
        case quotedPair
        case afterQuoted
    }

    /// What frames, routes, authorises or describes a request can't come after it; all else may, and is discarded (RFC 9110
    /// §6.5.1).
    private static let neverTrailers: [StaticString] = [
        "authorization", "connection", "content-encoding", "content-length", "content-range", "content-type", "expect",
        "host", "trailer", "transfer-encoding",
    ]

    private var state = State.size(hasDigits: false)
    private var remaining = 0
    /// Bytes that are no content: sizes, extensions and trailers together stay within one head's limit.
    private var overhead = 0
    private(set) var content: [UInt8] = []

    /// Decodes from `offset`, which is moved over all that was taken.
    mutating func decode(_ bytes: Span<UInt8>, from offset: inout Int, limits: RequestLimits) -> Result {
        while offset < bytes.count {
            if state == .data {
                let count = min(remaining, bytes.count - offset)
                bytes.extracting(offset..<(offset + count)).withUnsafeBufferPointer { content.append(contentsOf: $0) }
                offset += count
                remaining -= count
                if remaining == 0 { state = .dataReturn }
                continue
            }
            overhead += 1
            guard overhead <= limits.head else { return .rejected(.headTooLarge) }
            offset += 1
            do throws(Rejection) {
                if try step(bytes, at: offset - 1, limits: limits) { return .complete(offset) }
            } catch {
                return .rejected(error)
            }
        }
        return .incomplete
    }

    /// Takes one byte outside of chunk data; true at the end of the body.
    private mutating func step(_ bytes: Span<UInt8>, at index: Int, limits: RequestLimits) throws(Rejection) -> Bool {
        let byte = bytes[index]
        switch state {
        case .size(let hasDigits): try takeSize(byte, hasDigits: hasDigits)
        case .extensions(let place): try takeExtension(byte, place)
        case .sizeLineFeed: try endSize(byte, limits: limits)
        case .data: throw .malformedChunk
        case .dataReturn: try expect(byte, 0x0D, then: .dataLineFeed)
        case .dataLineFeed: try expect(byte, 0x0A, then: .size(hasDigits: false))
        case .trailerStart where byte == 0x0D: state = .finalLineFeed
        case .trailerStart: try takeTrailerName(bytes, at: index, from: index)
        case .trailerName(let start): try takeTrailerName(bytes, at: index, from: start)
        case .trailerValue:
            if byte == 0x0D { state = .trailerLineFeed; return false }
            guard ByteSet.value.contains(byte) else { throw .malformedFieldValue }
        case .trailerLineFeed: try expect(byte, 0x0A, then: .trailerStart)
        case .finalLineFeed:
            guard byte == 0x0A else { throw .malformedLineEnd }
            return true
        }
        return false
    }

    private mutating func expect(_ byte: UInt8, _ expected: UInt8, then next: State) throws(Rejection) {
        guard byte == expected else { throw .malformedChunk }
        state = next
    }

    private mutating func takeSize(_ byte: UInt8, hasDigits: Bool) throws(Rejection) {
        if let value = hexadecimalValue(byte) {
            // Fifteen digits behind any zeros can't overflow, and no honest chunk has them.
            guard remaining >> 56 == 0 else { throw .malformedChunk }
            remaining = remaining << 4 | Int(value)
            state = .size(hasDigits: true)
            return
        }
        guard hasDigits else { throw .malformedChunk }
        switch byte {
        case 0x0D: state = .sizeLineFeed
        case UInt8(ascii: ";"): state = .extensions(.nameStart)
        case 0x20, 0x09: state = .extensions(.before)
        default: throw .malformedChunk
        }
    }

    private mutating func takeExtension(_ byte: UInt8, _ place: ExtensionState) throws(Rejection) {
        let next: ExtensionState
        switch (place, byte) {
        case (.before, 0x20), (.before, 0x09): next = .before
        case (.before, UInt8(ascii: ";")), (.name, UInt8(ascii: ";")), (.afterName, UInt8(ascii: ";")),
            (.value, UInt8(ascii: ";")), (.afterQuoted, UInt8(ascii: ";")):
            next = .nameStart
        case (.nameStart, 0x20), (.nameStart, 0x09): next = .nameStart
        case (.nameStart, _) where ByteSet.token.contains(byte): next = .name
        case (.name, UInt8(ascii: "=")), (.afterName, UInt8(ascii: "=")): next = .valueStart
        case (.name, 0x20), (.name, 0x09), (.afterName, 0x20), (.afterName, 0x09): next = .afterName
        case (.name, _) where ByteSet.token.contains(byte): next = .name
        case (.valueStart, 0x20), (.valueStart, 0x09): next = .valueStart
        case (.valueStart, UInt8(ascii: "\"")): next = .quoted
        case (.valueStart, _) where ByteSet.token.contains(byte): next = .value
        case (.value, 0x20), (.value, 0x09), (.afterQuoted, 0x20), (.afterQuoted, 0x09): next = .before
        case (.value, _) where ByteSet.token.contains(byte): next = .value
        case (.quoted, UInt8(ascii: "\"")): next = .afterQuoted
        case (.quoted, UInt8(ascii: "\\")): next = .quotedPair
        case (.quoted, _) where ByteSet.value.contains(byte): next = .quoted
        case (.quotedPair, _) where ByteSet.value.contains(byte): next = .quoted
        case (.name, 0x0D), (.value, 0x0D), (.afterQuoted, 0x0D):
            state = .sizeLineFeed
            return
        default: throw .malformedChunk
        }
        state = .extensions(next)
    }

    private mutating func endSize(_ byte: UInt8, limits: RequestLimits) throws(Rejection) {
        guard byte == 0x0A else { throw .malformedChunk }
        guard remaining <= limits.content - content.count else { throw .contentTooLarge }
        state = remaining == 0 ? .trailerStart : .data
    }

    private mutating func takeTrailerName(
        _ bytes: Span<UInt8>,
        at index: Int,
        from start: Int
    ) throws(Rejection) {
        if bytes[index] == UInt8(ascii: ":"), index > start {
            let name = ByteRange(start, index)
            guard !Self.neverTrailers.contains(where: { bytes.matches(name, $0) }) else { throw .malformedField }
            state = .trailerValue
            return
        }
        guard ByteSet.token.contains(bytes[index]) else { throw .malformedField }
        state = .trailerName(start: start)
    }
}
