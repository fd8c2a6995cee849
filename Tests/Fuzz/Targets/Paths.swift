@testable import HTTP

/// Any bytes as a path: what is let through was decoded once and climbs nowhere.
enum Paths {
    static func check(_ bytes: [UInt8]) {
        let range = ByteRange(0, bytes.count)
        _ = Authority.parse(bytes.span, range)
        let decoded = PathDecoder.decode(bytes.span, range)
        if let decoded { check(decoded, of: bytes) }
        checkTarget(bytes, decoded: decoded)
    }

    private static func check(_ decoded: [UInt8], of bytes: [UInt8]) {
        expect(decoded == decodedOnce(bytes), "\(text(decoded)) of \(text(bytes))")
        expect(String(validating: decoded, as: UTF8.self) != nil, "\(text(decoded)) is not UTF-8")
        let segments = decoded.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let dots = [[UInt8]("."), [UInt8]("..")]
        expect(!segments.contains { dots.contains(Array($0)) }, "a dot segment in \(text(decoded))")
        expect(!decoded.contains(UInt8(ascii: "\\")), "a backslash in \(text(decoded))")
        for byte in [0, UInt8(ascii: "/")] + (0x01...0x1F) + [0x7F] {
            let count = { (bytes: [UInt8]) in bytes.count { $0 == byte } }
            expect(count(decoded) == count(bytes), "byte \(byte) was decoded from \(text(bytes))")
        }
    }

    /// Each `%XX` as its byte, from left to right; nil where a `%` has no two digits.
    private static func decodedOnce(_ bytes: [UInt8]) -> [UInt8]? {
        var parts = bytes.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        var decoded = Array(parts.removeFirst())
        for part in parts {
            let digits = String(decoding: part.prefix(2), as: UTF8.self)
            guard part.count >= 2, digits.utf8.first != UInt8(ascii: "+"), let byte = UInt8(digits, radix: 16) else {
                return nil
            }
            decoded += [byte] + part.dropFirst(2)
        }
        return decoded
    }

    /// The same bytes as a request's target: a path that is said to need no decoding is the decoded one.
    private static func checkTarget(_ bytes: [UInt8], decoded: [UInt8]?) {
        let request = [UInt8]("GET ") + bytes + [UInt8](" HTTP/1.1\r\nHost: a\r\n\r\n")
        var decoder = RequestDecoder(limits: RequestLimits())
        var head = RequestHead()
        guard case .request(request.count, .none) = decoder.next(request.span, into: &head) else { return }
        let path = request.span.array(head.path)
        guard !head.pathNeedsDecoding else { return }
        let isPlain = path.isEmpty || PathDecoder.decode(path.span, ByteRange(0, path.count)) == path
        expect(isPlain, "\(text(path)) is looked up as it is")
    }
}
