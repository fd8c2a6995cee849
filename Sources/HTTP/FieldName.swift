/// The header fields that something here reads; all others are checked for their form and passed over.
public enum FieldName: UInt8, CaseIterable, Sendable {
    /// Any other field.
    case other
    /// Accept-Encoding (RFC 9110 §12.5.3).
    case acceptEncoding
    /// Access-Control-Request-Headers (Fetch).
    case accessControlRequestHeaders
    /// Access-Control-Request-Method (Fetch).
    case accessControlRequestMethod
    /// Authorization (RFC 9110 §11.6.2).
    case authorization
    /// Connection (RFC 9110 §7.6.1).
    case connection
    /// Content-Length (RFC 9110 §8.6).
    case contentLength
    /// Content-Type (RFC 9110 §8.3).
    case contentType
    /// Expect (RFC 9110 §10.1.1).
    case expect
    /// Host (RFC 9110 §7.2).
    case host
    /// If-Match (RFC 9110 §13.1.1).
    case ifMatch
    /// If-None-Match (RFC 9110 §13.1.2).
    case ifNoneMatch
    /// Origin (RFC 6454 §7).
    case origin
    /// Transfer-Encoding (RFC 9112 §6.1).
    case transferEncoding

    static func parse(_ bytes: Span<UInt8>, _ range: ByteRange) -> FieldName {
        // The length alone tells almost all of them apart.
        switch range.length {
        case 4: bytes.matches(range, "host") ? .host : .other
        case 6: bytes.matches(range, "origin") ? .origin : bytes.matches(range, "expect") ? .expect : .other
        case 8: bytes.matches(range, "if-match") ? .ifMatch : .other
        case 10: bytes.matches(range, "connection") ? .connection : .other
        case 12: bytes.matches(range, "content-type") ? .contentType : .other
        case 13:
            bytes.matches(range, "if-none-match")
                ? .ifNoneMatch : bytes.matches(range, "authorization") ? .authorization : .other
        case 14: bytes.matches(range, "content-length") ? .contentLength : .other
        case 15: bytes.matches(range, "accept-encoding") ? .acceptEncoding : .other
        case 17: bytes.matches(range, "transfer-encoding") ? .transferEncoding : .other
        case 29: bytes.matches(range, "access-control-request-method") ? .accessControlRequestMethod : .other
        case 30: bytes.matches(range, "access-control-request-headers") ? .accessControlRequestHeaders : .other
        default: .other
        }
    }
}

/// A field line by its offsets in the request.
public struct Field: Sendable, Equatable {
    /// Which one.
    public let name: FieldName
    /// Its value without the white space about it.
    public let value: ByteRange
}
