import Testing

@testable import HTTP

@Suite("A field")
struct FieldTests {
    /// `acceptEncoding` as it is spelled in a request.
    private func spelling(_ name: FieldName) -> String {
        "\(name)".reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }

    private func parsed(_ bytes: [UInt8]) -> FieldName { FieldName.parse(bytes.span, ByteRange(0, bytes.count)) }

    private func parsed(_ text: String) -> FieldName { parsed(Array(text.utf8)) }

    @Test("is found under its name in any case of ASCII", arguments: FieldName.allCases.filter { $0 != .other })
    func isFound(name: FieldName) {
        let text = spelling(name)
        #expect(parsed(text) == name)
        #expect(parsed(text.uppercased()) == name)
        for index in text.indices {
            let mixed = text[..<index].uppercased() + text[index...]
            #expect(parsed(mixed) == name, "\(mixed)")
        }
    }

    @Test("is found under no name that is like its own", arguments: FieldName.allCases.filter { $0 != .other })
    func isNotFound(name: FieldName) {
        let text = Array(spelling(name).utf8)
        for index in text.indices {
            var other = text
            // This bit is the case of a letter; of any other byte it makes another name.
            other[index] ^= 0x20
            let isLetter = (0x61...0x7A).contains(text[index])
            if ByteSet.token.contains(other[index]) { #expect((parsed(other) == name) == isLetter) }
            other[index] = text[index] ^ 0x80
            #expect(parsed(other) == .other)
            other.remove(at: index)
            #expect(parsed(other) == .other)
        }
        #expect(parsed(spelling(name).replacing("k", with: "\u{212A}").replacing("s", with: "\u{17F}") + "s") == .other)
    }

    @Test("has its value without the white space about it", arguments: ["", " ", "\t", " \t  "])
    func isTrimmed(blank: String) throws {
        let request = "GET / HTTP/1.1\r\nHost:\(blank)a\(blank)\r\nOrigin:\(blank)b \t c\(blank)\r\nX:\(blank)\r\n\r\n"
        let (head, bytes) = try #require(parse(request))
        let values = try [FieldName.host, .origin].map { text(try #require(head.value(of: $0)), of: bytes) }
        #expect(values == ["a", "b \t c"])
        #expect(head.value(of: .other) == nil)
    }

    @Test("is the first of its name, or any")
    func isFirstOrAny() throws {
        let (head, bytes) = try #require(parse("GET / HTTP/1.1\r\nHost: a\r\nOrigin: b\r\nORIGIN: c\r\n\r\n"))
        let first = try #require(head.value(of: .origin))
        #expect(text(first, of: bytes) == "b")
        #expect(head.value(of: .authorization) == nil)
        #expect(head.anyValue(of: .origin) { text($0, of: bytes) == "c" })
        #expect(!head.anyValue(of: .origin) { text($0, of: bytes) == "a" })
    }

    @Test("of one request is gone in the next")
    func isForgotten() {
        var head = RequestHead()
        var decoder = RequestDecoder(limits: RequestLimits())
        let first = Array("POST http://a/%61 HTTP/1.0\r\nOrigin: b\r\nContent-Length: 0\r\n\r\n".utf8)
        _ = decoder.next(first.span, into: &head)
        #expect(head.value(of: .origin) != nil)
        _ = decoder.next(Array("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n".utf8).span, into: &head)
        #expect(head.value(of: .origin) == nil)
        #expect(head.form == .asterisk && head.path.isEmpty && !head.pathNeedsDecoding)
        #expect(head.version == .http11 && head.keepsAlive && head.framing == .none && !head.expectsContinue)
    }

    @Test(
        "that is a list has its elements, without the empty ones",
        arguments: [
            ("", []), (",", []), (" , ,\t,", []), ("a", ["a"]), ("a,b", ["a", "b"]), (",a , b\t,", ["a", "b"]),
            ("a b,c", ["a b", "c"]), (#""a,b""#, [#""a"#, #"b""#]),
        ]
    )
    func hasElements(value: String, elements: [String]) {
        let bytes = Array(value.utf8)
        var found: [String] = []
        bytes.span.forEachElement(of: ByteRange(0, bytes.count)) {
            found.append(text($0, of: bytes))
        }
        #expect(found == elements)
    }
}
