import Testing

@testable import HTTP

@Suite("A target")
struct TargetTests {
    @Test(
        "has this path, form and host",
        arguments: [
            ("GET /", "/", TargetForm.origin, "h", false),
            ("GET /a?b", "/a", .origin, "h", false), ("GET /a/b.c?./%", "/a/b.c", .origin, "h", false),
            ("GET /a%62", "/a%62", .origin, "h", true), ("GET /./a", "/./a", .origin, "h", true),
            ("GET /a/..", "/a/..", .origin, "h", true),
            ("GET https://b.example:1/x?y", "/x", .absolute, "b.example", false),
            ("GET http://b.example/%78", "/%78", .absolute, "b.example", true),
            ("GET HtTpS://B.example", "", .absolute, "B.example", false),
            ("GET http://[::1]:80?q", "", .absolute, "[::1]", false),
            ("OPTIONS *", "", .asterisk, "h", false), ("CONNECT c:1", "", .authority, "h", false),
        ]
    )
    func isTakenApart(line: String, path: String, form: TargetForm, host: String, needsDecoding: Bool) throws {
        for version in ["HTTP/1.0", "HTTP/1.1"] {
            let (head, bytes) = try #require(parse("\(line) \(version)\r\nHost: h:8443\r\n\r\n"))
            #expect(text(head.path, of: bytes) == path)
            #expect(text(head.host, of: bytes) == host)
            #expect(head.form == form)
            #expect(head.pathNeedsDecoding == needsDecoding)
        }
    }

    @Test("has an empty host in HTTP/1.0 without Host")
    func hasNoHost() throws {
        #expect(try #require(parse("GET / HTTP/1.0\r\n\r\n")).head.host.isEmpty)
        #expect(try #require(parse("GET http://a/ HTTP/1.0\r\n\r\n")).head.host.length == 1)
    }

    @Test("keeps its query when scheme and authority are taken off")
    func keepsQuery() throws {
        for (target, rest) in [("/a?b", "/a?b"), ("http://h/a?b", "/a?b"), ("http://h?b", "?b"), ("http://h", "")] {
            let (head, bytes) = try #require(parse("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n"))
            #expect(text(head.pathAndQuery, of: bytes) == rest)
        }
    }

    @Test("has a method only in its exact letters", arguments: Method.allCases)
    func hasMethods(method: Method) {
        let name = method.name.description
        func parsed(_ text: String) -> Method? {
            Method.parse(Array(text.utf8).span, ByteRange(0, text.utf8.count))
        }
        #expect(parsed(name) == method)
        for other in [name.lowercased(), name + "S", String(name.dropLast()), " " + name] {
            #expect(parsed(other) == nil)
        }
    }

    @Test(
        "has an authority of host and port",
        arguments: [
            ("a", "a"), ("a.example.", "a.example."), ("A-b_c~d", "A-b_c~d"), ("a:", "a"), ("a:0", "a"),
            ("a:00443", "a"),
            ("a:65535", "a"), ("127.0.0.1:80", "127.0.0.1"), ("[::1]", "[::1]"),
            ("[::ffff:1.2.3.4]:1", "[::ffff:1.2.3.4]"),
            ("!$&'()*+,;=", "!$&'()*+,;="),
            ("", nil), (":", nil), (":1", nil), ("a:65536", nil), ("a:999999", nil), ("a:1a", nil), ("a:-1", nil),
            ("a:1:", nil), ("a@b", nil), ("[", nil), ("[]", nil), ("[::1", nil), ("::1]", nil), ("[::1]a", nil),
            ("[::1]:x", nil), ("[v1.a]", nil), ("[fe80::1%eth0]", nil), ("a%41", nil), ("a b", nil), ("a/", nil),
            ("a?", nil), ("a#", nil), ("a\\", nil), ("a\u{0}", nil), ("é", nil), ("[[::1]]", nil),
        ] as [(String, String?)]
    )
    func hasAuthorities(authority: String, host: String?) {
        let bytes = Array(authority.utf8)
        let found = Authority.parse(bytes.span, ByteRange(0, bytes.count))
        #expect(found.map { text($0, of: bytes) } == host)
    }
}
