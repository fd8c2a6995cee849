import Testing

@testable import Bridges

@Suite("The HTML scanner")
struct HTMLScannerTests {
    /// The tokens as short texts, or the error.
    private func scan(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        let show = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
        var scanner = HTMLScanner(bytes)
        var result: [String] = []
        do throws(HTMLSyntaxError) {
            while let token = try scanner.next() {
                switch token {
                case .doctype(let range): result.append("doctype \(show(range))")
                case .comment(let range): result.append("comment \(show(range))")
                case .text(let range): result.append("text \(show(range))")
                case .rawText(let range): result.append("raw \(show(range))")
                case .endTag(let name, _): result.append("end \(name)")
                case .startTag(let tag):
                    let attributes = tag.attributes.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }
                    result.append(([tag.name] + attributes).joined(separator: " "))
                }
            }
        } catch {
            result.append("\(error.reason) at \(error.offset)")
        }
        return result
    }

    @Test("cuts a page into tags, text, comments and raw text")
    func tokens() {
        #expect(
            scan("<!DOCTYPE html>\n<!-- a -- b --><P Class='x y' hidden data-a=\"1>2\" b = c>a < b &lt; 3<br/></p >")
                == [
                    "doctype <!DOCTYPE html>", "text \n", "comment <!-- a -- b -->",
                    "p class=x y hidden= data-a=1>2 b=c",
                    "text a ", "text < b &lt; 3", "br", "end p",
                ]
        )
    }

    @Test(
        "takes nothing in a script, style, title, textarea or frame for a tag",
        arguments: ["script", "style", "title", "textarea", "iframe"]
    )
    func rawText(element: String) {
        #expect(
            scan("<\(element)><b>\"</b><!-- </c></\(element.uppercased())\n>x")
                == [element, "raw <b>\"</b><!-- </c>", "end \(element)", "text x"]
        )
        #expect(scan("<\(element)></\(element)>") == [element, "raw ", "end \(element)"])
    }

    @Test(
        "refuses what browsers repair or disagree about",
        arguments: [
            ("<p", "unexpectedEnd at 0"), ("<p a", "unexpectedEnd at 0"), ("<p a=", "unexpectedEnd at 5"),
            ("<p a='x", "unexpectedEnd at 5"), ("</p", "unexpectedEnd at 3"), ("<!-- x", "unexpectedEnd at 0"),
            ("<script>x", "unexpectedEnd at 8"), ("<script></script", "unexpectedEnd at 8"),
            ("<!doctype html", "unexpectedEnd at 0"), ("<p\"a\">", "character at 2"), ("<p a'b>", "character at 4"),
            ("<p a=\"b\"c>", "character at 8"), ("<p a=b\"c>", "character at 6"), ("<p =a>", "character at 3"),
            ("<p a=>", "character at 5"), ("<p / a>", "character at 3"), ("</ p>", "character at 2"),
            ("</p a>", "character at 4"), ("</p/>", "character at 3"), ("<p<b>", "character at 2"),
            ("<p é>", "character at 3"),
            ("<?xml?>", "declaration at 0"), ("<!x>", "declaration at 0"), ("<![CDATA[x]]>", "declaration at 0"),
            ("<!-->", "comment at 0"), ("<!--->", "comment at 0"), ("<!-- a <!-- b -->", "comment at 7"),
            ("<!-- a --!>", "comment at 7"), ("<script/>", "selfClosing at 7"), ("<p a a>", "duplicateAttribute at 5"),
            ("<p a=1 A=2>", "duplicateAttribute at 7"), ("<script></scripts></script>", "endTagInside at 8"),
            ("<style></style/></style>", "endTagInside at 7"),
        ]
    )
    func refusals(text: String, error: String) {
        #expect(scan(text).last == error)
    }

    @Test("covers every byte once, in order, whatever they are, and never traps")
    func mutations() {
        let page = Array("<!doctype html><p a='b' c>x<!-- y --><script>1</script><style>a{}</style></p>".utf8)
        let interesting: [UInt8] = Array("<>/!-'\"= a&;\n?".utf8) + [0x00, 0x80, 0xFF]
        for index in page.indices {
            for byte in interesting {
                var replaced = page
                replaced[index] = byte
                checkCoverage(replaced)
                var inserted = page
                inserted.insert(byte, at: index)
                checkCoverage(inserted)
            }
            checkCoverage(Array(page[..<index]))
            checkCoverage(Array(page[index...]))
        }
    }

    private func checkCoverage(_ bytes: [UInt8]) {
        var scanner = HTMLScanner(bytes)
        var end = 0
        var isWhole = false
        do throws(HTMLSyntaxError) {
            while let token = try scanner.next() {
                #expect(token.range.lowerBound == end)
                end = token.range.upperBound
            }
            isWhole = true
        } catch {
            #expect((0...bytes.count).contains(error.offset))
        }
        #expect(!isWhole || end == bytes.count)
    }
}

extension HTMLToken {
    fileprivate var range: Range<Int> {
        switch self {
        case .doctype(let range), .comment(let range), .text(let range), .rawText(let range), .endTag(_, let range):
            range
        case .startTag(let tag): tag.range
        }
    }
}
