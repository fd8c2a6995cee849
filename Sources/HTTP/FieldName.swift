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
    /// Content-Encoding (RFC 9110 §8.4).
    case contentEncoding
    /// Content-Length (RFC 9110 §8.6).
    case contentLength
    /// Content-Type (RFC 9110 §8.3).
    case contentType
    /// Expect (RFC 9110 §10.1.1).
    case expect
    /// Forwarded (RFC 7239 §4).
    case forwarded
    /// Host (RFC 9110 §7.2).
    case host
    /// If-Match (RFC 9110 §13.1.1).
    case ifMatch
    /// If-None-Match (RFC 9110 §13.1.2).
    case ifNoneMatch
    /// Origin (RFC 6454 §7).
    case origin
    /// Referer (RFC 9110 §10.1.3).
    case referer
    /// X-Request-ID, by which requests are followed from one server to the next.
    case xRequestId
    /// Transfer-Encoding (RFC 9112 §6.1).
    case transferEncoding
    /// X-Forwarded-For, which proxies add the address to that they were asked from.
    case xForwardedFor
    /// X-Forwarded-Proto, the scheme that a proxy was asked by.
    case xForwardedProto
    /// User-Agent (RFC 9110 §10.1.5).
    case userAgent

    /// The name that a token is.
    static func parse(_ bytes: Span<UInt8>, _ range: ByteRange) -> FieldName {
        // The length alone tells almost all of them apart.
        switch range.length {
        case 4: bytes.isName(range, "host") ? .host : .other
        case 6: bytes.isName(range, "origin") ? .origin : bytes.isName(range, "expect") ? .expect : .other
        case 7: bytes.isName(range, "referer") ? .referer : .other
        case 8: bytes.isName(range, "if-match") ? .ifMatch : .other
        case 9: bytes.isName(range, "forwarded") ? .forwarded : .other
        case 10:
            bytes.isName(range, "user-agent")
                ? .userAgent : bytes.isName(range, "connection") ? .connection : .other
        case 12:
            bytes.isName(range, "content-type")
                ? .contentType : bytes.isName(range, "x-request-id") ? .xRequestId : .other
        case 13:
            bytes.isName(range, "if-none-match")
                ? .ifNoneMatch : bytes.isName(range, "authorization") ? .authorization : .other
        case 14: bytes.isName(range, "content-length") ? .contentLength : .other
        case 15:
            bytes.isName(range, "accept-encoding")
                ? .acceptEncoding : bytes.isName(range, "x-forwarded-for") ? .xForwardedFor : .other
        case 16: bytes.isName(range, "content-encoding") ? .contentEncoding : .other
        case 17:
            bytes.isName(range, "transfer-encoding")
                ? .transferEncoding : bytes.isName(range, "x-forwarded-proto") ? .xForwardedProto : .other
        case 29: bytes.isName(range, "access-control-request-method") ? .accessControlRequestMethod : .other
        case 30: bytes.isName(range, "access-control-request-headers") ? .accessControlRequestHeaders : .other
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

extension Span<UInt8> {
    /// Whether a token, in whatever case, is a name of at least four letters and hyphens.
    ///
    /// A bit more makes a letter of ASCII small, leaves a hyphen as it is, and turns no other byte of a token into either.
    @inline(__always)
    fileprivate func isName(_ range: ByteRange, _ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        let start = Int(range.start)
        let expected = UnsafeRawBufferPointer(start: name.utf8Start, count: length)
        guard Int(range.length) == length else { return false }
        return withUnsafeBytes { bytes in
            func differ<Word: FixedWidthInteger>(_ offset: Int, _ type: Word.Type) -> Bool {
                let folded =
                    bytes.loadUnaligned(fromByteOffset: start + offset, as: type)
                    | Word(truncatingIfNeeded: 0x2020_2020_2020_2020 as UInt64)
                return folded != expected.loadUnaligned(fromByteOffset: offset, as: type)
            }
            guard length >= 8 else {
                return !differ(0, UInt32.self) && !differ(length - 4, UInt32.self)
            }
            var offset = 0
            while offset + 8 < length {
                if differ(offset, UInt64.self) { return false }
                offset += 8
            }
            return !differ(length - 8, UInt64.self)
        }
    }
}
