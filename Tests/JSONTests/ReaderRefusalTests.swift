import JSON
import Testing

/// What must not be read, why, and at which column of the first line.
@Suite("The reader refuses")
struct ReaderRefusalTests {
    struct Case: CustomTestStringConvertible {
        let text: [UInt8]
        let reason: JSONSyntaxError.Reason
        let column: Int

        init(_ text: String, _ reason: JSONSyntaxError.Reason, _ column: Int) {
            self.init(bytes: Array(text.utf8), reason, column)
        }

        init(bytes: [UInt8], _ reason: JSONSyntaxError.Reason, _ column: Int) {
            text = bytes
            self.reason = reason
            self.column = column
        }

        var testDescription: String { String(decoding: text, as: UTF8.self) }
    }

    private func check(_ example: Case) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(example.text) }
        #expect(error?.reason == example.reason)
        #expect(error?.position == Position(line: 1, column: example.column))
    }

    private static func unexpected(_ byte: Character, _ expected: JSONSyntaxError.Expectation) -> JSONSyntaxError.Reason
    {
        .unexpected(byte: byte.asciiValue ?? 0, expected: expected)
    }

    @Test(
        "texts that end too early",
        arguments: [
            Case("", .unexpectedEnd, 1), Case("  ", .unexpectedEnd, 3), Case("[", .unexpectedEnd, 2),
            Case("[1", .unexpectedEnd, 3), Case("[1,", .unexpectedEnd, 4), Case("{", .unexpectedEnd, 2),
            Case("{\"a\"", .unexpectedEnd, 5), Case("{\"a\":", .unexpectedEnd, 6), Case("{\"a\":1", .unexpectedEnd, 7),
            Case("\"", .unexpectedEnd, 2), Case("\"abc", .unexpectedEnd, 5), Case("\"\\", .unexpectedEnd, 3),
            Case("\"\\u00", .unexpectedEnd, 6), Case("tru", .unexpectedEnd, 4), Case("-", .unexpectedEnd, 2),
            Case("1.", .unexpectedEnd, 3), Case("1e", .unexpectedEnd, 3), Case("1e+", .unexpectedEnd, 4),
        ]
    )
    func ends(example: Case) { check(example) }

    @Test(
        "structures that are not those of JSON",
        arguments: [
            Case("[1,]", .trailingComma, 4), Case("{\"a\":1,}", .trailingComma, 8),
            Case("[,1]", unexpected(",", .value), 2), Case("[1,,2]", unexpected(",", .value), 4),
            Case("[1 2]", unexpected("2", .separator), 4), Case("[1:2]", unexpected(":", .separator), 3),
            Case("[}", unexpected("}", .value), 2), Case("{]", unexpected("]", .name), 2),
            Case("{1:1}", unexpected("1", .name), 2), Case("{a:1}", unexpected("a", .name), 2),
            Case("{'a':1}", unexpected("'", .name), 2), Case("{\"a\" 1}", unexpected("1", .colon), 6),
            Case("{\"a\",1}", unexpected(",", .colon), 5), Case("{\"a\"::1}", unexpected(":", .value), 6),
            Case("{,}", unexpected(",", .name), 2), Case("{null:1}", unexpected("n", .name), 2),
            Case("{\"a\":1 \"b\":2}", unexpected("\"", .separator), 8),
            Case("[]]", .trailingContent, 3), Case("{} {}", .trailingContent, 4), Case("1 2", .trailingContent, 3),
            Case("[1]//", .trailingContent, 4), Case("/* */1", unexpected("/", .value), 1),
            Case("#", unexpected("#", .value), 1), Case("[\u{0B}1]", .unexpected(byte: 0x0B, expected: .value), 2),
            Case("[\u{0C}]", .unexpected(byte: 0x0C, expected: .value), 2),
            Case("[1\u{A0}]", .unexpected(byte: 0xC2, expected: .separator), 3),
            Case("\u{2028}1", .unexpected(byte: 0xE2, expected: .value), 1),
        ]
    )
    func structures(example: Case) { check(example) }

    @Test(
        "literals in another spelling",
        arguments: [
            Case("True", unexpected("T", .value), 1), Case("nul", .unexpectedEnd, 4),
            Case("nulL", unexpected("L", .literal), 4),
            Case("truth", unexpected("t", .literal), 4), Case("undefined", unexpected("u", .value), 1),
            Case("NaN", unexpected("N", .value), 1), Case("Infinity", unexpected("I", .value), 1),
            Case("truefalse", .trailingContent, 5),
        ]
    )
    func literals(example: Case) { check(example) }

    @Test(
        "numbers in another spelling",
        arguments: [
            Case("+1", unexpected("+", .value), 1), Case("01", .invalidNumber, 2), Case("-01", .invalidNumber, 3),
            Case("00", .invalidNumber, 2), Case(".5", unexpected(".", .value), 1), Case("-.5", .invalidNumber, 2),
            Case("1.e1", .invalidNumber, 3), Case("1.a", .invalidNumber, 3), Case("--1", .invalidNumber, 2),
            Case("1ea", .invalidNumber, 3), Case("1e+-1", .invalidNumber, 4), Case("0x1F", .trailingContent, 2),
            Case("1_000", .trailingContent, 2), Case("1e1.5", .trailingContent, 4),
            Case("-Infinity", .invalidNumber, 2),
            Case("\u{FF11}", .unexpected(byte: 0xEF, expected: .value), 1),
        ]
    )
    func numbers(example: Case) { check(example) }

    @Test(
        "escapes that mean nothing, and control characters",
        arguments: [
            Case(#""\a""#, .invalidEscape, 2), Case(#""\x00""#, .invalidEscape, 2), Case(#""\'""#, .invalidEscape, 2),
            Case(#""\U0041""#, .invalidEscape, 2), Case(#""\u00G0""#, .invalidEscape, 2),
            Case(#""\u+041""#, .invalidEscape, 2), Case(#""\é""#, .invalidEscape, 2),
            Case(#""\u{41}""#, .invalidEscape, 2),
            Case(#""\uD800""#, .loneSurrogate, 2), Case(#""\uDC00""#, .loneSurrogate, 2),
            Case(#""\uD800x""#, .loneSurrogate, 2), Case(#""\uD800\n""#, .loneSurrogate, 2),
            Case(#""\uD800\uD800""#, .loneSurrogate, 2), Case(#""\uDC00\uD800""#, .loneSurrogate, 2),
            Case("\"\u{0}\"", .controlCharacter(0), 2), Case("\"a\tb\"", .controlCharacter(9), 3),
            Case("\"a\nb\"", .controlCharacter(10), 3), Case("\"\u{1F}\"", .controlCharacter(0x1F), 2),
        ]
    )
    func strings(example: Case) { check(example) }

    @Test(
        "bytes that are not UTF-8",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x92], [0xF8, 0x88, 0x80, 0x80, 0x80],
            [0xFE],
            [0xFF],
        ] as [[UInt8]]
    )
    func encodings(bytes: [UInt8]) {
        check(Case(bytes: [0x22, 0x61] + bytes + [0x22], .invalidUTF8, 3))
    }

    @Test("a byte order mark, UTF-16 and UTF-32")
    func otherEncodings() {
        check(Case(bytes: [0xEF, 0xBB, 0xBF] + Array("{}".utf8), .byteOrderMark, 1))
        check(Case(bytes: [0xFF, 0xFE, 0x7B, 0x00], .unexpected(byte: 0xFF, expected: .value), 1))
        check(Case(bytes: [0x00, 0x7B], .unexpected(byte: 0x00, expected: .value), 1))
    }

    @Test("every prefix of a valid text, without a trap")
    func prefixes() throws {
        let text = Array(#"{"a":[1.5e-3,true,null,"é\u00e9😀\ud83d\ude00"],"b":{"c":-0}}"#.utf8)
        _ = try JSONReader.read(text)
        for count in text.indices {
            #expect(throws: JSONSyntaxError.self) { try JSONReader.read(Array(text[..<count])) }
        }
    }

    @Test("or reads any change of one byte, without a trap, into a text that reads the same again")
    func mutations() throws {
        let text = Array(#"{"a":[1.5e-3,true,"é\u00e9\ud83d\ude00"],"b":{"c":-0}}"#.utf8)
        for index in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[index] = byte
                guard let value = try? JSONReader.read(changed).root.value else { continue }
                #expect(try JSONReader.read(value.bytes).root.value.bytes == value.bytes)
            }
        }
    }
}
