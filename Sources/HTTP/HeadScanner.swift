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
    private var start = 0
    private var lineStart = 0
    private var scanned = 0

    mutating func scan(_ bytes: Span<UInt8>, limits: RequestLimits) -> Result {
        if scanned == 0, let first = bytes.isEmpty ? nil : bytes[0], first != 0x0D, !ByteSet.token.contains(first) {
            return .rejected(first == 0x0A ? .malformedLineEnd : .malformedRequestLine)
        }
        while let lineFeed = bytes.firstLineFeed(from: scanned) {
            guard lineFeed > lineStart, bytes[lineFeed - 1] == 0x0D else { return .rejected(.malformedLineEnd) }
            let isEmptyLine = lineFeed - 1 == lineStart
            let isFirstLine = lineStart == start
            scanned = lineFeed + 1
            lineStart = scanned
            if let rejection = excess(end: scanned, isFirstLine: isFirstLine, limits: limits) {
                return .rejected(rejection)
            }
            guard isEmptyLine else { continue }
            if !isFirstLine { return .complete(ByteRange(start, scanned)) }
            guard start == 0 else { return .rejected(.malformedRequestLine) }
            start = scanned
        }
        scanned = bytes.count
        // A byte more than the line may have shows the excess before its end has come.
        if let rejection = excess(end: scanned, isFirstLine: lineStart == start, limits: limits) {
            return .rejected(rejection)
        }
        return .incomplete
    }

    /// Method, version, two spaces and CRLF take at most 40 bytes of a request line that is worth reading.
    private func excess(end: Int, isFirstLine: Bool, limits: RequestLimits) -> Rejection? {
        if isFirstLine, end - start > limits.target + 40 { return .targetTooLong }
        return end - start > limits.head ? .headTooLarge : nil
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
