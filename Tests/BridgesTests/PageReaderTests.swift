import Crypto
import Testing

@testable import Bridges

@Suite("Pages")
struct PageReaderTests {
    private let files: [String: String] = [
        "core.js": Fixture.script, "parley.css": Fixture.stylesheet, "crlf.js": "a();\r\nb();\r",
        "close.js": "x = '</SCRIPT>'", "comment.js": "\n  x = '<!--'", "close.css": "a{}/*</Style*/",
        "bom.js": "\u{FEFF}x",
    ]

    private func read(_ page: String, allowsInlineStyles: Bool = true) -> (
        template: PageTemplate?, findings: [PageReader.Finding]
    ) {
        PageReader.read(Array(page.utf8), name: "p.html", allowsInlineStyles: allowsInlineStyles) { name in
            files[name].map { .success(Array($0.utf8)) } ?? .failure(.init(reason: "No such file or directory"))
        }
    }

    private func source(_ text: String) -> String { "'sha256-" + SHA256.hash(Array(text.utf8)).base64 + "'" }

    private func page(_ body: String, head: String = "") -> String {
        "<!doctype html><html><head>\(head)</head><body>"
            + "<script type=\"application/json\" id=\"bridge-config\">{}</script>\(body)</body></html>"
    }

    @Test("A page becomes what stands before and after its data, with its files put in")
    func template() throws {
        let template = try #require(read(Fixture.page).template)
        let text = String(decoding: template.head + Array("DATA".utf8) + template.tail, as: UTF8.self)
        let expected = Fixture.page
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                switch line {
                case "<link rel=\"stylesheet\" href=\"parley.css\">": "<style>\(Fixture.stylesheet)</style>"
                case "<script src=\"core.js\"></script>": "<script>\(Fixture.script)</script>"
                case "<script type=\"application/json\" id=\"bridge-config\">{}</script>":
                    "<script type=\"application/json\" id=\"bridge-config\">DATA</script>"
                default: String(line)
                }
            }
            .joined(separator: "\n")
        #expect(text == expected)
    }

    @Test("Scripts are hashed as they stand in the page, in order, each once; data is not")
    func scriptHashes() throws {
        let template = try #require(
            read(page("<script src=\"core.js\"></script><script>a</script><script>a</script>")).template
        )
        #expect(template.scriptHashes == [source(Fixture.script), source("a")])
    }

    @Test("Styles are hashed only where not all inline styles are allowed")
    func styleHashes() throws {
        let styled = page("", head: "<style>b{}</style><link rel=\"stylesheet\" href=\"parley.css\">")
        #expect(try #require(read(styled).template).styleHashes == [])
        #expect(
            try #require(read(styled, allowsInlineStyles: false).template).styleHashes
                == [source("b{}"), source(Fixture.stylesheet)]
        )
    }

    @Test("Line ends become LF in the page and in its files before they are hashed")
    func lineEnds() throws {
        let template = try #require(
            read(page("<script>\r\na\r</script>\r\n<script src=\"crlf.js\"></script>")).template
        )
        #expect(template.scriptHashes == [source("\na\n"), source("a();\nb();\n")])
        #expect(!(template.head + template.tail).contains(0x0D))
    }

    @Test("The data block may be empty or hold white space", arguments: ["", "{}", " { \n } ", "\n"])
    func dataBlock(content: String) throws {
        let text = "<!doctype html><script type=\"application/json\" id=\"bridge-config\">\(content)</script>"
        let template = try #require(read(text).template)
        #expect(template.head == Array("<!doctype html><script type=\"application/json\" id=\"bridge-config\">".utf8))
        #expect(template.tail == Array("</script>".utf8))
    }

    private typealias Kind = PageReader.Finding.Kind

    @Test(
        "What would break under the policy, or open a hole in it, is refused",
        arguments: [
            ("<p onclick=\"x\">", .eventHandler("onclick")), ("<svg OnLoad=x></svg>", .eventHandler("onload")),
            ("<script src=\"https://a.example/x.js\"></script>", .scriptForm),
            ("<script src=\"core.js\" defer></script>", .scriptForm),
            ("<script async src=\"core.js\"></script>", .scriptForm),
            ("<script type=\"module\" src=\"core.js\"></script>", .scriptForm),
            ("<script type=\"module\">1</script>", .scriptForm),
            ("<script src='core.js'></script>", .scriptForm), ("<script src=\"core.js\">x</script>", .scriptForm),
            ("<script src=\"../core.js\"></script>", .scriptForm), ("<script src=\"/core.js\"></script>", .scriptForm),
            ("<script src=\"core.js?v=1\"></script>", .scriptForm),
            ("<script type=\"importmap\">{}</script>", .scriptForm),
            ("<script type=\"application/json\" id=\"other\">{}</script>", .scriptForm),
            ("<script nonce=\"x\">1</script>", .scriptForm),
            ("<SCRIPT>1</SCRIPT>", .scriptForm), ("<script >1</script>", .scriptForm),
            ("<script>x = '<!--'</script>", .commentInScript),
            (
                "<script src=\"missing.js\"></script>",
                .unreadable(file: "missing.js", reason: "No such file or directory")
            ),
            ("<link rel=\"stylesheet\" href=\"https://a.example/x.css\">", .stylesheetForm),
            ("<link href=\"parley.css\" rel=\"stylesheet\">", .stylesheetForm),
            ("<link rel=\"alternate stylesheet\" href=\"parley.css\">", .stylesheetForm),
            ("<link rel=\"modulepreload\" href=\"core.js\">", .link), ("<link rel=\"manifest\" href=\"x\">", .link),
            ("<link>", .link),
            ("<a href=\"javascript:alert(1)\">", .scriptURL("href")),
            ("<a href=\" JavaScript:x\">", .scriptURL("href")),
            ("<a href=\"java\nscript:x\">", .scriptURL("href")), ("<a href=\"java&#115;cript:x\">", .scriptURL("href")),
            ("<a href=\"javascript&colon;x\">", .scriptURL("href")),
            ("<iframe src=\"data:text/html,x\"></iframe>", .scriptURL("src")),
            ("<form action=\"vbscript:x\">", .scriptURL("action")), ("<iframe srcdoc=\"x\"></iframe>", .frameDocument),
            ("<meta http-equiv=\"refresh\" content=\"0\">", .metaEquivalent),
            ("<base href=\"https://a.example/\">", .element("base")),
            ("<object data=\"x\"></object>", .element("object")), ("<embed src=\"x\">", .element("embed")),
            ("<plaintext>", .element("plaintext")), ("<p title=\"</script><script>\">", .markupInAttribute("title")),
            ("<title>a<b</title>", .titleMarkup), ("<svg><style>a</style></svg>", .insideForeign("style")),
            ("<svg><script>1</script></svg>", .insideForeign("script")),
            ("<math><textarea></textarea></math>", .insideForeign("textarea")),
            ("<noscript><style>a</style></noscript>", .insideNoscript("<style>")),
            ("<noscript><!-- x --></noscript>", .insideNoscript("a comment")),
            ("<p id=\"bridge-config\">", .dataBlockID),
            ("<script type=\"application/json\" id=\"bridge-config\">{}</script>", .secondDataBlock),
            ("<script src=\"close.js\"></script>", .asset(.endTag("</script"))),
            ("<script src=\"comment.js\"></script>", .asset(.comment)),
            ("<link rel=\"stylesheet\" href=\"close.css\">", .asset(.endTag("</style"))),
            ("<script src=\"bom.js\"></script>", .byteOrderMark), ("<p a a>", .syntax(.duplicateAttribute)),
        ] as [(String, PageReader.Finding.Kind)]
    )
    func refusals(markup: String, kind: PageReader.Finding.Kind) {
        let result = read(page(markup))
        #expect(result.template == nil)
        #expect(result.findings.map(\.kind) == [kind])
    }

    @Test("A style attribute needs all inline styles to be allowed")
    func styleAttributes() {
        let styled = page("<p style=\"color: red\">")
        #expect(read(styled).findings == [])
        #expect(read(styled, allowsInlineStyles: false).findings.map(\.kind) == [.styleAttribute])
    }

    @Test(
        "Plain markup is none of our business",
        arguments: [
            "<link rel=\"icon\" href=\"data:,\">", "<link rel=\"preconnect\" href=\"https://a.example\">",
            "<a href=\"https://a.example/?a=1&amp;b=2\">x</a>",
            "<img src=\"data:image/png;base64,x\" alt='a > b'>", "<svg><title>x</title><path d=\"M0 0\"/></svg>",
            "<noscript><p>x</p></noscript>",
            "<!-- x -->", "<textarea><script></textarea>", "<p data-on=\"1\">1 < 2</p>", "<input disabled>",
        ]
    )
    func plainMarkup(markup: String) {
        #expect(read(page(markup)).findings == [])
    }

    @Test("A page is UTF-8 text without a byte order mark and NUL")
    func encoding() {
        let good = Array(page("é").utf8)
        let kinds = [[0xEF, 0xBB, 0xBF] + good, good + [0], good + [0xC3]].map { bytes in
            PageReader.read(bytes, name: "p.html", allowsInlineStyles: true) { _ in .failure(.init(reason: "")) }
                .findings.map(\.kind)
        }
        #expect(kinds == [[.byteOrderMark], [.nulByte], [.invalidUTF8]])
    }

    @Test("A page needs its document type and its data block, which has no content of its own")
    func necessities() {
        #expect(read("<p>").findings.map(\.kind) == [.missingDoctype, .missingDataBlock])
        #expect(read("<p>" + page("")).findings.map(\.kind) == [.missingDoctype])
        let filled = page("").replacing("{}</script>", with: "{\"a\":1}</script>")
        #expect(read(filled).findings.map(\.kind) == [.dataBlockContent])
        let single = "<!doctype html><script type='application/json' id='bridge-config'>{}</script>"
        #expect(read(single).findings.map(\.kind) == [.dataBlockID, .scriptForm, .missingDataBlock])
    }

    @Test("All findings come at once, in the order of the page, with their places")
    func allAtOnce() {
        let findings = read("<!doctype html>\n<base><p onclick=x>\n<script src=\"comment.js\"></script>").findings
        #expect(
            findings == [
                .init(kind: .element("base"), offset: 16), .init(kind: .eventHandler("onclick"), offset: 25),
                .init(kind: .asset(.comment), file: "comment.js", offset: 8),
                .init(kind: .missingDataBlock, offset: nil),
            ]
        )
    }

    @Test("No bytes make the reader trap, and what it accepts it reads the same again")
    func mutations() {
        let whole = Array(Fixture.page.utf8)
        let interesting: [UInt8] = Array("<>/'\"= \n".utf8) + [0x00, 0xC3]
        for index in whole.indices {
            for byte in interesting {
                var bytes = whole
                bytes[index] = byte
                guard let template = read(String(decoding: bytes, as: UTF8.self)).template else { continue }
                let again = PageReader.read(template.head + template.tail, name: "p.html", allowsInlineStyles: true) {
                    _ in
                    .failure(.init(reason: "gone"))
                }
                #expect(again.template?.head == template.head && again.template?.tail == template.tail)
                #expect(again.template?.scriptHashes == template.scriptHashes)
            }
        }
    }
}
