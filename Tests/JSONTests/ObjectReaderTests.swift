import JSON
import Testing

@Suite("Reading fixed shapes")
struct ObjectReaderTests {
    private let collector = ProblemCollector()

    private func root(_ text: String) throws -> Located {
        try #require(JSONReader.root(of: Array(text.utf8), file: "f.json", problems: collector))
    }

    private var lines: [String] { collector.problems.map(\.description) }

    @Test("An unknown name is told with the nearest known one")
    func unknownKey() throws {
        var reader = try #require(try root("{\n  \"hsots\": [],\n  \"x\": 1\n}").object)
        #expect(reader.value("hosts") == nil)
        #expect(reader.value("access") == nil)
        reader.finish()
        #expect(
            lines == [
                #"f.json:2:3: error: $.hsots: found the unknown key "hsots"; expected one of: access, hosts. Did you mean "hosts"?"#,
                #"f.json:3:3: error: $.x: found the unknown key "x"; expected one of: access, hosts."#,
            ]
        )
    }

    @Test("A missing name is told at its object, and only when it is required")
    func missingKey() throws {
        var reader = try #require(try root(" {\"a\":{}}").object)
        var inner = try #require(reader.value("a")?.object)
        #expect(inner.value("b", required: true) == nil)
        #expect(inner.value("c") == nil)
        #expect(lines == [#"f.json:1:3: error: $.a: found no key "b"; expected the required key "b"."#])
    }

    @Test(
        "A wrong type is told with what stands there",
        arguments: [
            ("null", "null"), ("1", "the number 1"), ("true", "the boolean true"), ("[]", "an array"),
            ("{}", "an object"),
        ]
    )
    func wrongType(text: String, found: String) throws {
        #expect(try root(text).string == nil)
        #expect(lines == ["f.json:1:1: error: $: found \(found); expected a string."])
    }

    @Test("No number is a boolean, and no boolean a number", arguments: ["1", "0", "\"true\"", "null"])
    func booleans(text: String) throws {
        #expect(try root(text).bool == nil)
        #expect(collector.hasErrors)
    }

    @Test(
        "An integer is digits alone and in range",
        arguments: ["1.0", "1e1", "true", "\"3\"", "11", "-1", "99999999999999999999", "3.5", "null"]
    )
    func integers(text: String) throws {
        #expect(try root(text).integer(in: 0...10) == nil)
        #expect(lines.allSatisfy { $0.hasSuffix("expected an integer from 0 to 10.") })
        #expect(lines.count == 1)
    }

    @Test("Integers in range are read")
    func goodIntegers() throws {
        #expect(try root("0").integer(in: 0...10) == 0)
        #expect(try root("-0").integer(in: 0...10) == 0)
        #expect(try root("10").integer(in: 0...10) == 10)
        #expect(lines == [])
    }

    @Test("A repeated name is an error, and the rest is read all the same")
    func duplicate() throws {
        let value = try root("{\"a\":1,\n\"a\":2}")
        #expect(value.entries?.map(\.name) == ["a"])
        #expect(lines == ["f.json:2:1: error: $.a: found a key that already stands at 1:2; expected each key once."])
    }

    @Test("Elements know their index")
    func elements() throws {
        for element in try #require(try root("[1,\"b\"]").elements) { _ = element.string }
        #expect(lines == ["f.json:1:2: error: $[0]: found the number 1; expected a string."])
    }

    @Test("A warning is no error")
    func warning() throws {
        try root("true").warn(expected: "something else", advice: "Think again.")
        #expect(lines == ["f.json:1:1: warning: $: found the boolean true; expected something else. Think again."])
        #expect(!collector.hasErrors)
    }

    @Test("A long text is cut in messages, and its quotes are escaped")
    func abbreviation() throws {
        _ = try root("\"\\\"" + String(repeating: "é", count: 100) + "\"").bool
        let shown = "\\\"" + String(repeating: "é", count: 56) + "…"
        #expect(lines == ["f.json:1:1: error: $: found the string \"\(shown)\"; expected true or false."])
    }

    @Test("What is no JSON is one problem, with place and advice")
    func syntax() {
        #expect(JSONReader.root(of: Array("[1,\n]".utf8), file: "f.json", problems: collector) == nil)
        #expect(
            lines == [
                "f.json:2:1: error: found a comma before a closing bracket; expected another element. Remove the comma."
            ]
        )
    }
}
