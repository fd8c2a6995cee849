/// Gathers what the fields say about host, framing and connection, and refuses what contradicts itself.
struct FieldSemantics {
    private var hasHost = false
    private var contentLength: Int?
    private var isChunked = false
    private var asksToClose = false
    private var asksToKeepAlive = false

    mutating func take(_ field: Field, _ bytes: Span<UInt8>, into head: inout RequestHead) throws(Rejection) {
        switch field.name {
        case .host: try takeHost(field.value, bytes, into: &head)
        case .contentLength: try takeContentLength(field.value, bytes)
        case .transferEncoding: try takeTransferEncoding(field.value, bytes, version: head.version)
        case .connection: takeConnection(field.value, bytes)
        // RFC 9110 §10.1.1: HTTP/1.0 knows no expectations.
        case .expect where head.version == .http11: try takeExpect(field.value, bytes, into: &head)
        case .xRequestId: head.requestID = field.value
        default: break
        }
    }

    mutating func finish(into head: inout RequestHead, limits: RequestLimits) throws(Rejection) {
        // RFC 9112 §3.2: a request in HTTP/1.1 has Host even when the target is absolute.
        guard hasHost || head.version == .http10 else { throw .malformedHost }
        head.keepsAlive = !asksToClose && (head.version == .http11 || asksToKeepAlive)
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
        guard version == .http11, !isChunked else { throw .malformedTransferEncoding }
        guard bytes.matches(value, "chunked") else { throw refusal(of: value, bytes) }
        isChunked = true
    }

    /// Content is delimited only if `chunked` comes once and last (RFC 9112 §6.3); what comes before it, we don't know.
    private func refusal(of codings: ByteRange, _ bytes: Span<UInt8>) -> Rejection {
        var chunkedCount = 0
        var otherCount = 0
        var endsChunked = false
        bytes.forEachElement(of: codings) { coding in
            endsChunked = bytes.matches(coding, "chunked")
            if endsChunked { chunkedCount += 1 } else { otherCount += 1 }
        }
        return endsChunked && chunkedCount == 1 && otherCount > 0 ? .unknownTransferCoding : .malformedTransferEncoding
    }

    private mutating func takeConnection(_ value: ByteRange, _ bytes: Span<UInt8>) {
        bytes.forEachElement(of: value) { element in
            if bytes.matches(element, "close") { asksToClose = true }
            if bytes.matches(element, "keep-alive") { asksToKeepAlive = true }
        }
    }

    private func takeExpect(
        _ value: ByteRange,
        _ bytes: Span<UInt8>,
        into head: inout RequestHead
    ) throws(Rejection) {
        var isKnown = true
        bytes.forEachElement(of: value) { expectation in
            isKnown = isKnown && bytes.matches(expectation, "100-continue")
            head.expectsContinue = true
        }
        guard isKnown else { throw .unknownExpectation }
    }
}
