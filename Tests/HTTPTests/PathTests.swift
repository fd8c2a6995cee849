import Testing

@testable import HTTP

@Suite("A path")
struct PathTests {
    private func decode(_ path: [UInt8]) -> [UInt8]? { PathDecoder.decode(path.span, ByteRange(0, path.count)) }

    @Test(
        "is decoded once",
        arguments: [
            ("", ""), ("/", "/"), ("//", "//"), ("/a", "/a"), ("/%61", "/a"), ("/a%20b", "/a b"), ("/%C3%a9", "/é"),
            ("/%2561", "/%61"), ("/%25%36%31", "/%61"), ("/%252e%252e/", "/%2e%2e/"), ("/%252f", "/%2f"),
            ("/%2500", "/%00"), ("/...", "/..."), ("/.a", "/.a"), ("/a.", "/a."), ("/a..b", "/a..b"), ("/..a", "/..a"),
            ("/.well-known/x", "/.well-known/x"), ("/%2e%2e%2e", "/..."), ("/..;a", "/..;a"), ("/..%20", "/.. "),
            ("/%3f%23", "/?#"), ("/%F0%9F%98%80", "/😀"), ("/..%CC%81", "/..\u{301}"), ("/%CC%81", "/\u{301}"),
        ]
    )
    func isDecoded(path: String, decoded: String) {
        // Bytes: a String counts an accented dot as none, and é as the same in two spellings.
        #expect(decode(Array(path.utf8)) == Array(decoded.utf8))
    }

    @Test(
        "is refused if it is malformed or evasive",
        arguments: [
            "/%", "/%6", "/%zz", "/%+1", "/%-1", "/% 1", "/%0x", "/a%", "/%%36", "/%g0", "/%0g", "/%u0041",
            "/%00", "/a%00b", "/%01", "/%09", "/%0a", "/%0D", "/%1f", "/%7f",
            "/%2f", "/%2F", "/a%2fb", "/%5c", "/%5C", "/..%2f", "/..%5c", "/a\\b",
            "/.", "/..", "/./", "/../", "/a/.", "/a/..", "/a/./b", "/a/../b", "/..//a", "//..", ".", "..", "../a",
            "/%2e", "/%2E%2e", "/%2e.", "/.%2e", "/.%2E/x", "/a/%2e%2e/b", "/a/%2e",
            "/%ff", "/%80", "/%c3", "/%c3/", "/%c3%28", "/%c0%ae", "/%c0%af", "/%c1%9c", "/%e0%80%ae", "/%e0%80%af",
            "/%f0%80%80%ae", "/%f8%80%80%80%ae", "/%ed%a0%80", "/%ed%bf%bf", "/%f4%90%80%80", "/%e2%82", "/%fe%ff",
        ]
    )
    func isRefused(path: String) { #expect(decode(Array(path.utf8)) == nil) }

    @Test("needs decoding if decoding changes or refuses it")
    func needsDecoding() throws {
        var random = SplitMix(state: 3)
        let alphabet = ["/", ".", "..", "%", "%2", "%2e", "%41", "a", ";", "/."]
        var plain = 0
        for _ in 0..<20_000 {
            let path = "/" + (0..<random.below(6)).map { _ in alphabet[random.below(alphabet.count)] }.joined()
            for target in [path, "http://h" + path] {
                let (head, bytes) = try #require(parse("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n"))
                guard !head.pathNeedsDecoding else { continue }
                plain += 1
                guard PathDecoder.decode(bytes.span, head.path) != Array(path.utf8) else { continue }
                Issue.record("\(path) is taken as it is")
            }
        }
        #expect(plain > 2_000)
    }

    @Test("never decodes to what could climb, whatever bytes it has")
    func neverClimbs() {
        var random = SplitMix(state: 4)
        let alphabet = [
            "/", ".", "%2e", "%2E", "%25", "%", "2", "e", "%c0", "%ae", "%CC%81", "%5c", "%00", "a", "\u{0}",
        ]
        for _ in 0..<50_000 {
            let path = (0..<random.below(8)).map { _ in alphabet[random.below(alphabet.count)] }.joined()
            guard let decoded = decode(Array(path.utf8)) else { continue }
            let segments = decoded.split(separator: 0x2F)
            let climbs = segments.contains { $0.elementsEqual([0x2E]) || $0.elementsEqual([0x2E, 0x2E]) }
            let isText = String(validating: decoded, as: UTF8.self) != nil
            if climbs || !isText || decoded.count > path.utf8.count || decoded.contains(0x5C) {
                Issue.record("\(path.debugDescription) decodes to \(decoded)")
            }
        }
    }
}
