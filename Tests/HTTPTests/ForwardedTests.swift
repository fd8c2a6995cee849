import Testing

@testable import HTTP

@Suite("What proxies say")
struct ForwardedTests {
    /// The hops of a request with these field lines, one word each: an address, `hidden` or `malformed`, with the scheme.
    private func hops(_ fields: ForwardedFields, _ lines: String...) throws -> [String] {
        let request = "GET / HTTP/1.1\r\nHost: a\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
        let (head, bytes) = try #require(parse(request))
        return fields.hops(of: head, bytes.span).map { hop in
            let node =
                switch hop.node {
                case .address(let range): text(range, of: bytes)
                case .hidden: "hidden"
                case .malformed: "malformed"
                }
            return node + (hop.isSecure.map { $0 ? " https" : " http" } ?? "")
        }
    }

    @Test(
        "in X-Forwarded-For is a list of addresses, with or without ports",
        arguments: [
            ("192.0.2.1", ["192.0.2.1"]), ("192.0.2.1, 10.0.0.1", ["192.0.2.1", "10.0.0.1"]),
            ("192.0.2.1,10.0.0.1:4711", ["192.0.2.1", "10.0.0.1"]), ("2001:db8::1", ["2001:db8::1"]),
            ("[2001:db8::1]", ["2001:db8::1"]), ("[2001:db8::1]:443 ,\t::1", ["2001:db8::1", "::1"]),
            ("::ffff:192.0.2.1", ["::ffff:192.0.2.1"]), ("unknown, Unknown", ["hidden", "hidden"]),
            ("_hidden, 10.0.0.1", ["hidden", "10.0.0.1"]), (",,192.0.2.1,, ,", ["192.0.2.1"]), ("", []),
            ("a, 10.0.0.1", ["malformed", "10.0.0.1"]),
        ]
    )
    func listsAddresses(value: String, expected: [String]) throws {
        #expect(try hops(.xForwarded, "X-Forwarded-For: \(value)") == expected)
    }

    @Test(
        "is malformed when it is no address",
        arguments: [
            "localhost", "192.0.2", "192.0.2.256", "192.0.2.01", "192.0.2.1:", "192.0.2.1:123456", "192.0.2.1:a",
            "192.0.2.1 10.0.0.1", "[192.0.2.1]", "[::1", "::1]", "[::1]:", "[::1]x", "[]", "fe80::1%lo",
            "1:2:3:4:5:6:7",
            ":::", "\"192.0.2.1\"", "_", "_a b", "-1.2.3.4", "192.0.2.1;", "0x7f.0.0.1", "2130706433", "é",
        ]
    )
    func refusesOthers(value: String) throws {
        #expect(try hops(.xForwarded, "X-Forwarded-For: \(value)") == ["malformed"])
    }

    @Test(
        "in X-Forwarded-Proto counts by what was said last",
        arguments: [
            ("https", "https"), ("HTTP", "http"), ("http, https", "https"), ("https,http", "http"),
            ("https, ", "https"),
        ]
    )
    func readsScheme(value: String, scheme: String) throws {
        let line = "X-Forwarded-Proto: \(value)"
        #expect(try hops(.xForwarded, "X-Forwarded-For: 192.0.2.1", line) == ["192.0.2.1 \(scheme)"])
        #expect(try hops(.xForwarded, line) == ["hidden \(scheme)"])
        #expect(try hops(.xForwarded, "X-Forwarded-Proto: ftp", line) == ["hidden \(scheme)"])
        #expect(try hops(.xForwarded, line, "X-Forwarded-Proto: ftp").isEmpty)
    }

    @Test("that comes in several fields is one list, in their order")
    func joinsLines() throws {
        let lines = ["X-Forwarded-For: 192.0.2.1, 10.0.0.1", "x-forwarded-for: 10.0.0.2"]
        #expect(try hops(.xForwarded, lines[0], lines[1]) == ["192.0.2.1", "10.0.0.1", "10.0.0.2"])
        #expect(
            try hops(.forwarded, "Forwarded: for=192.0.2.1", "FORWARDED: for=10.0.0.1") == ["192.0.2.1", "10.0.0.1"]
        )
    }

    @Test("counts in the fields of one kind alone")
    func readsOneKind() throws {
        let lines = ["Forwarded: for=192.0.2.1;proto=https", "X-Forwarded-For: 10.0.0.1", "X-Forwarded-Proto: http"]
        #expect(try hops(.xForwarded, lines[0], lines[1], lines[2]) == ["10.0.0.1 http"])
        #expect(try hops(.forwarded, lines[0], lines[1], lines[2]) == ["192.0.2.1 https"])
    }

    @Test(
        "in Forwarded is one element a hop, of pairs",
        arguments: [
            ("for=192.0.2.1", ["192.0.2.1"]), ("For=\"192.0.2.1:80\"", ["192.0.2.1"]),
            ("for=\"[2001:db8::1]:4711\"", ["2001:db8::1"]),
            ("for=\"[2001:db8::1]\";proto=https", ["2001:db8::1 https"]),
            ("for=192.0.2.1;proto=http;by=203.0.113.43", ["192.0.2.1 http"]),
            ("proto=https;for=192.0.2.1; host=\"a, b; c\"", ["192.0.2.1 https"]),
            ("for=192.0.2.1, for=10.0.0.1;proto=\"https\"", ["192.0.2.1", "10.0.0.1 https"]),
            ("for=unknown;proto=https", ["hidden https"]), ("for=_gazonk", ["hidden"]),
            ("proto=https", ["hidden https"]),
            ("for=\"_a:_b\"", ["malformed"]), ("for=\"192.0.2.1:_port\"", ["192.0.2.1"]),
            ("for=\"unknown:80\"", ["hidden"]),
            ("host=\"a\\\"b\";for=192.0.2.1", ["192.0.2.1"]), (" , ,for=192.0.2.1;,", ["192.0.2.1"]),
            ("for=\"\", for=10.0.0.1", ["malformed", "10.0.0.1"]), ("for=\"\\1.2.3.4\"", ["malformed"]),
            ("for=\"::1\", secret=x", ["::1", "hidden"]), ("", []),
        ]
    )
    func readsElements(value: String, expected: [String]) throws {
        #expect(try hops(.forwarded, "Forwarded: \(value)") == expected)
    }

    @Test(
        "in Forwarded is malformed as a whole where one can't tell the elements apart",
        arguments: [
            "for=\"192.0.2.1, for=10.0.0.1", "for=192.0.2.1 x, for=10.0.0.1", "for=[::1], for=10.0.0.1",
            "for=192.0.2.1;for=192.0.2.2", "proto=http;proto=https", "for", "for=", "=a", "for =192.0.2.1",
            "for= 192.0.2.1", "for=192.0.2.1:80", "for=\"192.0.2.1\"x", "for=\"192.0.2.1\\\"", "for=\"a\\",
            "for=10.0.0.1,for=\"", "192.0.2.1",
        ]
    )
    func refusesElements(value: String) throws {
        #expect(try hops(.forwarded, "Forwarded: \(value)") == ["malformed"])
        #expect(try hops(.forwarded, "Forwarded: \(value)", "Forwarded: for=10.0.0.9") == ["malformed", "10.0.0.9"])
    }

    @Test("is read without a trap, whatever it is")
    func survives() throws {
        var random = SplitMix(state: 7_239)
        let parts = [
            "for=", "\"", "[", "]", "::1", "192.0.2.1", ",", ";", "=", "proto=", "https", "\\", ":", " ", "_", "é",
        ]
        for _ in 0..<5_000 {
            let value = (0..<random.below(12)).map { _ in parts[random.below(parts.count)] }.joined()
            for (fields, name) in [(ForwardedFields.forwarded, "Forwarded"), (.xForwarded, "X-Forwarded-For")] {
                let hops = try hops(fields, "\(name): \(value)")
                #expect(hops.allSatisfy { !$0.contains("\"") && !$0.contains("[") }, "\(value)")
            }
        }
    }
}
