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
    private var lineStart = 0
    private var scanned = 0

    /// Whether the request line has come.
    var hasRequestLine: Bool { lineStart > start }

    mutating func scan(_ bytes: Span<UInt8>, limits: RequestLimits) -> Result {
        if scanned == 0, let first = bytes.isEmpty ? nil : bytes[0], first != 0x0D, !ByteSet.token.contains(first) {
            return .rejected(first == 0x0A ? .malformedLineEnd : .malformedRequestLine)
        }
        while let lineFeed = bytes.firstLineFeed(from: scanned) {
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

    /// Method, version, two spaces and CRLF take at most 40 bytes of a request line that is worth reading.
    private func excess(_ bytes: Span<UInt8>, _ limits: RequestLimits) -> Rejection? {
        let count = scanned - start
        if !hasRequestLine, count > min(limits.target + 40, limits.head) {
            // RFC 9112 §3: what is longer than any method is none that we know.
            let startsWithMethod = (start..<min(start + 40, scanned)).contains { bytes[$0] == 0x20 }
            return startsWithMethod ? .targetTooLong : .unknownMethod
        }
        return count > limits.head ? .headTooLarge : nil
    }
}

extension Span<UInt8> {
    @inline(__always)
    fileprivate func firstLineFeed(from offset: Int) -> Int? {
        guard offset < count else { return nil }
        return withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            guard let found = memchr(base + offset, 0x0A, buffer.count - offset) else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}
