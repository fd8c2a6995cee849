internal import Glibc

/// Finds the end of a request's head, however the bytes come in; each byte is looked at once.
struct HeadScanner: Sendable, Equatable {
    enum Result: Equatable {
        case incomplete
        /// The head's bytes, from the request line up to and with the empty line.
        case complete(ByteRange)
        case rejected(Rejection)
    }

    /// Where the head begins: 2 after the one empty line that RFC 9112 §2.2 lets a server pass over.
    private(set) var start = 0
    /// Where the line begins that has not ended.
    private(set) var lineStart = 0
    private(set) var scanned = 0

    /// Whether the request line has come.
    var hasRequestLine: Bool { lineStart > start }

    mutating func scan(_ bytes: Span<UInt8>, limits: RequestLimits) -> Result {
        if scanned == 0, let first = bytes.isEmpty ? nil : bytes[0], first != 0x0D, !ByteSet.token.contains(first) {
            return .rejected(first == 0x0A ? .malformedLineEnd : .malformedRequestLine)
        }
        while let lineFeed = bytes.first(0x0A, from: scanned) {
            scanned = lineFeed + 1
            if let rejection = excess(bytes, limits) { return .rejected(rejection) }
            guard lineFeed > lineStart, bytes[lineFeed - 1] == 0x0D else { return .rejected(.malformedLineEnd) }
            let isEmptyLine = lineFeed - 1 == lineStart
            if isEmptyLine, hasRequestLine { return .complete(ByteRange(start, scanned)) }
            guard !isEmptyLine || start == 0 else { return .rejected(.malformedRequestLine) }
            lineStart = scanned
            if isEmptyLine { start = scanned }
        }
        scanned = bytes.count
        // A byte more than there may be shows the excess before the line's end has come.
        if let rejection = excess(bytes, limits) { return .rejected(rejection) }
        return .incomplete
    }

    /// Whether the line that has not ended has a CR with another byte than LF behind it (RFC 9112 §2.2), within the limit.
    ///
    /// - Parameter before: how many bytes were scanned, and found to have none, before the last scan.
    func hasBareReturn(_ bytes: Span<UInt8>, since before: Int, limits: RequestLimits) -> Bool {
        let end = min(scanned, start + limit(limits))
        // The last of them may have been a CR, and its LF still under way.
        var cursor = max(lineStart, before - 1)
        while let found = bytes.first(0x0D, from: cursor), found + 1 < end {
            if bytes[found + 1] != 0x0A { return true }
            cursor = found + 1
        }
        return false
    }

    /// How many bytes there may be so far.
    ///
    /// Method, version, two spaces and CRLF take at most 40 of a request line that is worth reading.
    private func limit(_ limits: RequestLimits) -> Int {
        hasRequestLine ? limits.head : min(limits.target + 40, limits.head)
    }

    private func excess(_ bytes: Span<UInt8>, _ limits: RequestLimits) -> Rejection? {
        let count = scanned - start
        guard count > limit(limits) else { return nil }
        if !hasRequestLine {
            // RFC 9112 §3: what is longer than any method is none that we know.
            let startsWithMethod = (start..<min(start + 40, scanned)).contains { bytes[$0] == 0x20 }
            return startsWithMethod ? .targetTooLong : .unknownMethod
        }
        return .headTooLarge
    }
}

extension Span<UInt8> {
    @inline(__always)
    fileprivate func first(_ byte: UInt8, from offset: Int) -> Int? {
        guard offset < count else { return nil }
        return withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            guard let found = memchr(base + offset, CInt(byte), buffer.count - offset) else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}
