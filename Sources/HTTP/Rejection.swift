/// Why a request is answered with an error and its connection closed: its framing is in doubt or a limit is reached.
public enum Rejection: Error, Hashable, CaseIterable, Sendable {
    /// A request line that is not `method SP target SP version` (RFC 9112 §3).
    case malformedRequestLine
    /// A line that does not end in CRLF (RFC 9112 §2.2).
    case malformedLineEnd
    /// A field line without a valid name, or folded over two lines (RFC 9112 §5).
    case malformedField
    /// A field value with a control character (RFC 9110 §5.5).
    case malformedFieldValue
    /// A target with bytes that no URI has, or of a form that the method does not allow (RFC 9112 §3.2).
    case malformedTarget
    /// No Host, more than one, or one that is no host (RFC 9112 §3.2).
    case malformedHost
    /// Content-Length that is no number, repeated, or beside Transfer-Encoding (RFC 9112 §6.3).
    case malformedContentLength
    /// Transfer-Encoding that does not end in one `chunked`, or in HTTP/1.0 (RFC 9112 §6.1).
    case malformedTransferEncoding
    /// A chunk that is not as RFC 9112 §7.1 has it.
    case malformedChunk
    /// The request line is longer than we read.
    case targetTooLong
    /// The head has more bytes or fields than we read.
    case headTooLarge
    /// The content has more bytes than we read.
    case contentTooLarge
    /// A method that no RFC we know defines.
    case unknownMethod
    /// A transfer coding other than `chunked`.
    case unknownTransferCoding
    /// A version other than HTTP/1.x.
    case unsupportedVersion
    /// An expectation other than `100-continue` (RFC 9110 §10.1.1).
    case unknownExpectation
    /// The request did not come in time.
    case timedOut
    /// Plain HTTP where TLS was expected.
    case plainOnTLS

    /// The status that says so.
    public var status: Status {
        switch self {
        case .malformedRequestLine, .malformedLineEnd, .malformedField, .malformedFieldValue, .malformedTarget,
            .malformedHost, .malformedContentLength, .malformedTransferEncoding, .malformedChunk, .plainOnTLS:
            .badRequest
        case .targetTooLong: .uriTooLong
        case .headTooLarge: .requestHeaderFieldsTooLarge
        case .contentTooLarge: .contentTooLarge
        case .unknownMethod, .unknownTransferCoding: .notImplemented
        case .unsupportedVersion: .httpVersionNotSupported
        case .unknownExpectation: .expectationFailed
        case .timedOut: .requestTimeout
        }
    }
}
