import JSON
import Testing

@Suite("Positions")
struct PositionTests {
    private func position(of text: String) -> Position? {
        do {
            _ = try JSONReader.read(Array(text.utf8))
            return nil
        } catch {
            return error.position
        }
    }

    @Test("An error is told by line and column as editors count them")
    func errors() {
        #expect(position(of: "{\n  \"a\": 1,\n  \"b\": x\n}") == Position(line: 3, column: 8))
        #expect(position(of: "{\r\n  \"a\": x\r\n}") == Position(line: 2, column: 8))
        #expect(position(of: "[\n\n\n]]") == Position(line: 4, column: 2))
    }

    @Test("A character takes one column, whatever its bytes, and a combining one its own")
    func characters() {
        #expect(position(of: "[\"é\" x]") == Position(line: 1, column: 6))
        #expect(position(of: "[\"😀\" x]") == Position(line: 1, column: 6))
        #expect(position(of: "[\"e\u{301}\" x]") == Position(line: 1, column: 7))
        #expect(position(of: "[\"éé\",\n\"é\" x]") == Position(line: 2, column: 5))
    }

    @Test("Every value knows where it begins, and every member where its name does")
    func values() throws {
        let root = try JSONReader.read(Array("{\n \"é\" : [1,\n 22]}".utf8)).root
        guard case .object(let members) = root.content, case .array(let elements) = members[0].node.content else {
            Issue.record("another shape")
            return
        }
        #expect(members[0].position == Position(line: 2, column: 2))
        #expect(members[0].node.position == Position(line: 2, column: 8))
        #expect(elements.map(\.position) == [Position(line: 2, column: 9), Position(line: 3, column: 2)])
    }

    @Test("Each repetition of a name is told with its path, its place and the place of the first")
    func duplicates() throws {
        let document = try JSONReader.read(Array("{\"a\":[{\"b\":1,\n\"b\":2,\"\\u0062\":3}]}".utf8))
        #expect(document.duplicates.map(\.path.description) == ["$.a[0].b", "$.a[0].b"])
        #expect(document.duplicates.map(\.position) == [Position(line: 2, column: 1), Position(line: 2, column: 7)])
        #expect(document.duplicates.map(\.first).allSatisfy { $0 == Position(line: 1, column: 8) })
    }

    @Test("Names that Swift calls equal but are other bytes are no repetition")
    func canonicalEquality() throws {
        let document = try JSONReader.read(Array("{\"é\":1,\"e\u{301}\":2,\"K\":3,\"\u{212A}\":4}".utf8))
        #expect(document.duplicates.isEmpty)
        #expect(document.root.member("e\u{301}")?.integer == 2)
        #expect(document.root.member("\u{212A}")?.integer == 4)
        #expect(document.root.value.bytes == Array("{\"K\":3,\"e\u{301}\":2,\"é\":1,\"\u{212A}\":4}".utf8))
    }

    @Test("Paths quote what is no identifier")
    func paths() {
        let path = JSONPath.root.member("bridges").member("some-name").element(2).member("a\"b").member("")
            .member("$x_1")
        #expect(path.description == #"$.bridges["some-name"][2]["a\"b"][""].$x_1"#)
        #expect(JSONPath.root.member("1a").description == #"$["1a"]"#)
    }
}
