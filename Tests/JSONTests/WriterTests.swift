import JSON
import Testing

@Suite("The writer")
struct WriterTests {
    @Test("sorts names by their bytes, at every level")
    func sorting() {
        let value: JSONValue = ["b": 1, "a": ["z": true, "Z": .null, "é": "x", "z2": []], "": 0, "B": 2]
        #expect(value.text == #"{"":0,"B":2,"a":{"Z":null,"z":true,"z2":[],"é":"x"},"b":1}"#)
    }

    @Test("leaves nothing that HTML or JavaScript could misread")
    func escapes() {
        let text = "</script><!-- &amp; \u{2028}\u{2029}\u{0}\u{1F}\u{7F}\"\\/\n\r\t"
        let expected =
            #""\u003c/script\u003e\u003c!-- \u0026amp; \u2028\u2029\u0000\u001f\u007f\"\\/\n\r\t""#
        #expect(JSONValue.string(text).text == expected)
        #expect(JSONValue.object([(name: "<a>", value: 1)]).text == #"{"\u003ca\u003e":1}"#)
    }

    @Test(
        "writes what the reader reads back, byte by byte",
        arguments: ["", "é", "e\u{301}", "👩‍💻", "a\u{0}b", "\u{FEFF}", "${1}", "\\u0041", "\u{10FFFF}", "<>&\u{2028}"]
    )
    func roundTrip(text: String) throws {
        let root = try JSONReader.read(JSONValue.string(text).bytes).root
        guard case .string(let read) = root.content else {
            Issue.record("no string")
            return
        }
        #expect(Array(read.utf8) == Array(text.utf8))
    }

    @Test("keeps the text of numbers and writes integers as such")
    func numbers() {
        #expect(JSONValue.number("1.50").text == "1.50")
        #expect(JSONValue.integer(.min).text == "-9223372036854775808")
    }

    @Test("indents for people, and ends the last line")
    func pretty() {
        let value: JSONValue = ["b": [1, ["c": .null]], "a": [], "d": [:]]
        #expect(
            value.prettyText == """
                {
                  "a": [],
                  "b": [
                    1,
                    {
                      "c": null
                    }
                  ],
                  "d": {}
                }

                """
        )
    }

    @Test("calls values equal when their texts are")
    func equality() {
        #expect(JSONValue.object([(name: "a", value: 1), (name: "b", value: 2)]) == ["b": 2, "a": 1])
        #expect(JSONValue.string("é") != JSONValue.string("e\u{301}"))
        #expect(JSONValue.number("1.0") != 1)
        #expect(JSONValue.string("1") != 1)
    }
}
