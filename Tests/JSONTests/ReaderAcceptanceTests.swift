import JSON
import Testing

/// What must be read, and as what: each text with the text that our writer makes of it.
@Suite("The reader accepts")
struct ReaderAcceptanceTests {
    private func rewritten(_ text: String) throws -> String {
        try JSONReader.read(Array(text.utf8)).root.value.text
    }

    @Test(
        "structures with white space anywhere between tokens",
        arguments: [
            ("[]", "[]"),
            ("{}", "{}"),
            (" [] ", "[]"),
            ("\t\r\n [\n1\t,\r2 ]\n", "[1,2]"),
            ("[[]   ]", "[[]]"),
            ("[null, 1, \"1\", {}]", "[null,1,\"1\",{}]"),
            ("[null,1,null]", "[null,1,null]"),
            ("{\"a\":{\"b\":[{}]}}", "{\"a\":{\"b\":[{}]}}"),
            ("{\n\"a\" : \"b\"\n}", "{\"a\":\"b\"}"),
            ("{\"\":0}", "{\"\":0}"),
            ("[true,false,null]", "[true,false,null]"),
        ]
    )
    func structures(text: String, expected: String) throws {
        #expect(try rewritten(text) == expected)
    }

    @Test("a scalar as the whole text", arguments: ["42", "-0.1", "null", "true", "false", "\"asd\"", "\"\""])
    func scalars(text: String) throws {
        #expect(try rewritten(text) == text)
    }

    @Test(
        "every form of number, whose text it keeps",
        arguments: [
            "0", "-0", "-1", "123", "20e1", "1E22", "1E-2", "1E+2", "123e45", "0e+1", "0e1", "123.456789",
            "-123123e100000",
            "0.4e00669999999999999999999999999999999999", "1.5e+9999", "123456789012345678901234567890", "1e-7",
            "-237462374673276894279832749832423479823246327846",
            "-0.000000000000000000000000000000000000000000000000000000000000000000000000000001",
        ]
    )
    func numbers(text: String) throws {
        #expect(try rewritten(text) == text)
    }

    @Test(
        "every escape",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0060\u012a\u12AB""#, "\u{60}\u{12A}\u{12AB}"),
            (#""\u0000""#, "\u{0}"),
            (#""\uD834\udd1e""#, "\u{1D11E}"),
            (#""\ud83d\ude39\ud83d\udc8d""#, "\u{1F639}\u{1F48D}"),
            (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
            (#""\\u0000""#, "\\u0000"),
            (#""\\\"""#, "\\\""),
            (#""\u0022""#, "\""),
            (#""a\u005Cn""#, "a\\n"),
        ]
    )
    func escapes(text: String, expected: String) throws {
        #expect(try string(text) == Array(expected.utf8))
    }

    @Test("escapes of noncharacters, which are scalars all the same")
    func noncharacters() throws {
        #expect(try string(#""\uFFFE\uFDD0""#) == [0xEF, 0xBF, 0xBE, 0xEF, 0xB7, 0x90])
    }

    @Test(
        "characters as they are, byte by byte",
        arguments: [
            "é", "e\u{301}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{10000}",
            "\u{10FFFF}", "\u{2028}\u{2029}", "👩‍💻", "\u{FEFF}", "\u{200B}", "\u{202E}", "K\u{212A}", "</script>",
            "/* */ //",
        ]
    )
    func characters(text: String) throws {
        #expect(try string("\"\(text)\"") == Array(text.utf8))
    }

    @Test("as many levels as the limit says, and no more")
    func depth() throws {
        let nested = { (count: Int) in
            Array((String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
        }
        _ = try JSONReader.read(nested(JSONReader.defaultDepth))
        _ = try JSONReader.read(nested(3), maximumDepth: 3)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(nested(4), maximumDepth: 3) }
        #expect(error?.reason == .tooDeep(limit: 3))
        #expect(error?.position == Position(line: 1, column: 4))
    }

    @Test("a hundred thousand opening brackets without running out of stack")
    func bomb() {
        for unit in ["[", "{\"a\":"] {
            let bytes = Array(String(repeating: unit, count: 100_000).utf8)
            let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(bytes) }
            #expect(error?.reason == .tooDeep(limit: JSONReader.defaultDepth))
        }
    }

    private func string(_ text: String) throws -> [UInt8]? {
        guard case .string(let value) = try JSONReader.read(Array(text.utf8)).root.content else { return nil }
        return Array(value.utf8)
    }
}
