import Testing

@testable import HTTP

@Suite("A field's value")
struct FieldTests {
    @Test(
        "of Accept-Encoding prefers gzip where that is wanted",
        arguments: [
            ("gzip", true), ("x-gzip", true), ("GZIP", true), ("br, gzip;q=0.5", true), ("*", true),
            ("gzip;q=0.001", true), ("gzip; q=1.000", true),
            ("", false), ("br", false), ("gzip;q=0", false), ("gzip;q=0.000", false), ("*;q=0", false),
            ("gzip;q=0, *", false),
            ("identity, gzip;q=0.5", false), ("identity;q=0.5, gzip", true), ("gzip;q=2", false), ("gzip;x=1", false),
            ("gzipped", false),
            ("gzip;q=0.0001", false), ("identity;q=0, *;q=0.1", true),
        ]
    )
    func prefersGzip(value: String, isPreferred: Bool) throws {
        let request = try #require(parse("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: \(value)\r\n\r\n"))
        #expect(AcceptEncoding.prefersGzip(request.head, request.bytes.span) == isPreferred)
    }

    @Test(
        "of If-None-Match matches weakly, in a list, by star",
        arguments: [
            (#""r""#, true), (#"W/"r""#, true), (#""a", "r""#, true), (#""a,b",W/"r" , "c""#, true), ("*", true),
            (#""R""#, false), (#""r"#, false), ("r", false), (#"w/"r""#, false), (#""r-gzip""#, false), ("", false),
            (#""a""r""#, false),
            (#""x, "r", y""#, false),
        ]
    )
    func matchesTags(value: String, matches: Bool) throws {
        let request = try #require(parse("GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: \(value)\r\n\r\n"))
        let found = Array(#""r""#.utf8).withUnsafeBufferPointer { tag in
            request.head.anyValue(of: .ifNoneMatch) { EntityTag.matches(request.bytes.span, $0, tag: tag) }
        }
        #expect(found == matches)
    }

    @Test(
        "is found under its name in any case of ASCII and under no other",
        arguments: FieldName.allCases.filter { $0 != .other }
    )
    func findsNames(name: FieldName) throws {
        let words = "\(name)".reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
        for text in [words, words.uppercased()] {
            let range = ByteRange(0, text.utf8.count)
            #expect(FieldName.parse(Array(text.utf8).span, range) == name)
        }
        let near = words + "s"
        #expect(FieldName.parse(Array(near.utf8).span, ByteRange(0, near.utf8.count)) == .other)
    }

    @Test("sets of bytes are those of the RFCs")
    func hasSets() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        let sets: [(ByteSet, String)] = [
            (.token, letters + "!#$%&'*+-.^_`|~"), (.path, letters + "-._~!$&'()*+,;=:@%/"),
            (.host, letters + "-._~!$&'()*+,;=%"),
            (.query, String(decoding: (0x21...0x7E).filter { $0 != 0x23 }.map { UInt8($0) }, as: UTF8.self)),
        ]
        for (set, text) in sets {
            let expected = Set(text.utf8)
            for byte in UInt8.min...UInt8.max { #expect(set.contains(byte) == expected.contains(byte), "\(byte)") }
        }
    }

    @Test(
        "paths are decoded once or refused",
        arguments: [
            ("/a", "/a"), ("/%61", "/a"), ("/%2561", "/%61"), ("/a%20b", "/a b"), ("/%C3%A9", "/é"), ("/...", "/..."),
            ("/.a", "/.a"), ("//", "//"),
            ("/%", nil), ("/%6", nil), ("/%zz", nil), ("/%+1", nil), ("/%00", nil), ("/%0a", nil), ("/%7f", nil),
            ("/%2f", nil), ("/%2F", nil),
            ("/%5c", nil), ("/..", nil), ("/.", nil), ("/a/../b", nil), ("/%2e%2E", nil), ("/.%2e/x", nil),
            ("/%c0%ae", nil), ("/%ff", nil),
            ("/%ed%a0%80", nil),
        ] as [(String, String?)]
    )
    func decodesPaths(path: String, decoded: String?) {
        let bytes = Array(path.utf8)
        let result = PathDecoder.decode(bytes.span, ByteRange(0, bytes.count))
        #expect(result == decoded.map { Array($0.utf8) })
    }
}
