import JSON

/// Any bytes as JSON: what is read is written and read again as the same, and every place is inside of the text.
enum JSONTexts {
    static func check(_ bytes: [UInt8]) {
        let lines = LineLengths(bytes)
        do {
            let document = try JSONReader.read(bytes)
            checkPlaces(document.root, in: lines)
            for duplicate in document.duplicates {
                expect(lines.contain(duplicate.position), "a place outside of the text: \(duplicate.position)")
                expect(duplicate.first < duplicate.position, "the first of two names comes second")
            }
            checkWriting(document.root.value)
        } catch {
            expect(lines.contain(error.position), "a place outside of the text: \(error.position)")
            let problems = ProblemCollector()
            problems.report(.syntax(error, file: "f"))
            Problems.check(problems)
        }
    }

    private static func checkWriting(_ value: JSONValue) {
        let unsafe = Set("<>&".utf8)
        for written in [value.bytes, Array(value.prettyText.utf8)] {
            expect(unsafe.isDisjoint(with: written), "markup in \(text(written))")
            guard let again = try? JSONReader.read(written) else {
                expect(false, "unreadable: \(text(written))")
                continue
            }
            expect(again.root.value == value, "\(text(written)) is another value")
            expect(again.root.value.bytes == value.bytes, "written twice is not the same: \(text(written))")
        }
    }

    private static func checkPlaces(_ node: JSONNode, in lines: LineLengths) {
        expect(lines.contain(node.position), "a place outside of the text: \(node.position)")
        switch node.content {
        case .array(let elements): for element in elements { checkPlaces(element, in: lines) }
        case .object(let members):
            for member in members {
                expect(member.position < member.node.position, "a name behind its value")
                checkPlaces(member.node, in: lines)
            }
        default: break
        }
    }

    /// How many characters each line of a text has.
    private struct LineLengths {
        let lengths: [Int]

        init(_ bytes: [UInt8]) {
            lengths = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
                line.count { $0 & 0xC0 != 0x80 }
            }
        }

        /// A text that is not UTF-8 has characters only up to there.
        func contain(_ position: Position) -> Bool {
            (1...lengths.count).contains(position.line) && position.column >= 1
                && position.column <= lengths[position.line - 1] + 1
        }
    }
}
