/// A request method that RFC 9110 §9.3 or RFC 5789 defines; what is none of these is answered 501.
public enum Method: UInt8, CaseIterable, Sendable {
    /// GET.
    case get
    /// HEAD.
    case head
    /// POST.
    case post
    /// OPTIONS.
    case options
    /// PUT.
    case put
    /// DELETE.
    case delete
    /// PATCH.
    case patch
    /// TRACE; never allowed anywhere.
    case trace
    /// CONNECT; never allowed anywhere.
    case connect

    /// The method as on the wire; methods are case-sensitive.
    public var name: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .options: "OPTIONS"
        case .put: "PUT"
        case .delete: "DELETE"
        case .patch: "PATCH"
        case .trace: "TRACE"
        case .connect: "CONNECT"
        }
    }

    /// Whether bytes that came to no request were meant as HEAD: not even an error has content then (RFC 9110 §9.3.2).
    ///
    /// - Parameter bytes: all bytes since the end of the request before.
    public static func isHead(_ bytes: Span<UInt8>) -> Bool {
        let start = bytes.count >= 2 && bytes[0] == 0x0D && bytes[1] == 0x0A ? 2 : 0
        let end = start + head.name.utf8CodeUnitCount
        return end < bytes.count && bytes[end] == 0x20 && parse(bytes, ByteRange(start, end)) == .head
    }

    static func parse(_ bytes: Span<UInt8>, _ range: ByteRange) -> Method? {
        allCases.first { method in
            let name = method.name
            guard Int(range.length) == name.utf8CodeUnitCount else { return false }
            return (0..<name.utf8CodeUnitCount).allSatisfy { bytes[Int(range.start) + $0] == name.utf8Start[$0] }
        }
    }
}
