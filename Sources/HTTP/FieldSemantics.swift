/// Gathers what the fields say about host, framing and connection, and refuses what contradicts itself.
struct FieldSemantics {
    private var hasHost = false
    private var contentLength: Int?
    private var transferEncoding: ByteRange?
    private var isChunked = false
    private var asksToClose = false
    private var asksToKeepAlive = false

    mutating func take(_ field: Field, _ bytes: Span<UInt8>, into head: inout RequestHead) throws(Rejection) {
        switch field.name {
        case .host: try takeHost(field.value, bytes, into: &head)
        case .contentLength: try takeContentLength(field.value, bytes)
        case .transferEncoding: try takeTransferEncoding(field.value, bytes, version: head.version)
        case .connection: takeConnection(field.value, bytes)
        case .expect: try takeExpect(field.value, bytes, into: &head)
        default: break
        }
    }

    mutating func finish(into head: inout RequestHead, limits: RequestLimits) throws(Rejection) {
        // RFC 9112 §3.2: a request in HTTP/1.1 has Host even when the target is absolute.
        guard hasHost || head.version == .http10 else { throw .malformedHost }
        head.keepsAlive = !asksToClose && (head.version == .http11 || asksToKeepAlive)
        if head.version == .http10 { head.expectsContinue = false }
        if isChunked {
            guard contentLength == nil else { throw .malformedContentLength }
            head.framing = .chunked
        } else if let contentLength {
            guard contentLength <= limits.content else { throw .contentTooLarge }
            head.framing = contentLength == 0 ? .none : .length(contentLength)
        }
    }

    private mutating func takeHost(
        _ value: ByteRange,
        _ bytes: Span<UInt8>,
        into head: inout RequestHead
    ) throws(Rejection) {
        guard !hasHost, let host = Authority.parse(bytes, value) else { throw .malformedHost }
        hasHost = true
        if head.form != .absolute { head.host = host }
    }

    /// Digits alone, once: even two equal ones are refused, since someone on the way may have taken the other.
    private mutating func takeContentLength(_ value: ByteRange, _ bytes: Span<UInt8>) throws(Rejection) {
        guard contentLength == nil, !value.isEmpty else { throw .malformedContentLength }
        var length = 0
        for index in value.indices {
            guard isDigit(bytes[index]) else { throw .malformedContentLength }
            let (shifted, overflowed) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflowedAgain) = shifted.addingReportingOverflow(Int(bytes[index] &- 0x30))
            guard !overflowed, !overflowedAgain else { throw .malformedContentLength }
            length = sum
        }
        contentLength = length
    }

    private mutating func takeTransferEncoding(
        _ value: ByteRange,
        _ bytes: Span<UInt8>,
        version: Version
    ) throws(Rejection) {
        guard version == .http11, !isChunked, transferEncoding == nil else { throw .malformedTransferEncoding }
        transferEncoding = value
        if bytes.matches(value, "chunked") {
            isChunked = true
            return
        }
        let (chunkedCount, last) = bytes.countTokens("chunked", in: value)
        // RFC 9112 §6.3: a request whose last coding is not chunked can't be delimited.
        guard chunkedCount == 1, bytes.matches(last, "chunked") else { throw .malformedTransferEncoding }
        throw .unknownTransferCoding
    }

    private mutating func takeConnection(_ value: ByteRange, _ bytes: Span<UInt8>) {
        bytes.forEachElement(of: value) { element in
            if bytes.matches(element, "close") { asksToClose = true }
            if bytes.matches(element, "keep-alive") { asksToKeepAlive = true }
            return true
        }
    }

    private func takeExpect(
        _ value: ByteRange,
        _ bytes: Span<UInt8>,
        into head: inout RequestHead
    ) throws(Rejection) {
        guard bytes.matches(value, "100-continue") else { throw .unknownExpectation }
        head.expectsContinue = true
    }
}
