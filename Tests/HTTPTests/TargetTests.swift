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

    @Test("is for a secure origin only if it is an https URL as a whole")
    func knowsSecureOrigins() throws {
        for (target, isSecure) in [("/", false), ("http://h/", false), ("https://h", true), ("HTTPS://h/a", true)] {
            let (head, _) = try #require(parse("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n"))
            #expect(head.isForSecureOrigin == isSecure, "\(target)")
        }
    }

    @Test("is the service as a whole only for OPTIONS without path and query")
    func knowsService() throws {
        let lines = [
            ("OPTIONS *", true), ("OPTIONS http://h", true), ("OPTIONS http://h:80", true), ("OPTIONS /", false),
            ("OPTIONS http://h/", false), ("OPTIONS http://h?", false), ("GET http://h", false),
        ]
        for (line, isForService) in lines {
            let (head, _) = try #require(parse("\(line) HTTP/1.1\r\nHost: h\r\n\r\n"))
            #expect(head.isForService == isForService, "\(line)")
        }
    }

    @Test(
        "has an IPv6 address only in the forms of RFC 3986",
        arguments: [
            ("::", true), ("::1", true), ("1::", true), ("1:2:3:4:5:6:7:8", true), ("1:2:3::6:7:8", true),
            ("2001:DB8::a", true), ("1:2:3:4:5:6:7::", true), ("::2:3:4:5:6:7:8", true), ("::1.2.3.4", true),
            ("1:2:3:4:5:6:1.2.3.255", true), ("1::5:0.0.0.0", true),
            ("", false), (":", false), (":::", false), ("1", false), ("1:2", false), ("::1::", false),
            ("12345::", false),
            ("1:2:3:4:5:6:7", false), ("1:2:3:4:5:6:7:8:9", false), ("1:2:3:4:5:6:7:8::", false), ("::g", false),
            (":1:2:3:4:5:6:7", false), ("1:2:3:4:5:6:7:", false), ("1:::2", false), ("1.2.3.4", false),
            ("::1.2.3", false), ("::1.2.3.256", false), ("::1.2.3.4.5", false), ("::1.2.3.04", false),
            ("::.1.2.3", false), ("1.2.3.4::", false), ("::1.2.3.4:5", false), ("1:2:3:4:5:6:7:1.2.3.4", false),
            ("::1%lo", false), ("::1 ", false), ("::1.2.3.1000", false),
        ]
    )
    func hasAddresses(text: String, isAddress: Bool) {
        let bytes = Array(text.utf8)
        #expect(AddressLiteral.isIPv6(bytes.span, ByteRange(0, bytes.count)) == isAddress)
    }

    @Test(
        "is HEAD's even if the rest is no request",
        arguments: [
            ("HEAD / HTTP/1.1\r\n", true), ("HEAD ", true), ("\r\nHEAD / HTTP/9.9\r\n", true), ("HEAD  x", true),
            ("", false), ("HEAD", false), ("\r\n", false), ("head / ", false), ("HEADS / ", false), ("GET / ", false),
            ("\r\n\r\nHEAD / ", false), ("HEAD\t/", false),
        ]
    )
    func knowsHead(text: String, isHead: Bool) { #expect(Method.isHead(Array(text.utf8).span) == isHead) }

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
            ("!$&'()*+;=", "!$&'()*+;="), ("a,b", nil), ("a,", nil),
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
