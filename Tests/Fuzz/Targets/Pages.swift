import Crypto

@testable import Bridges

/// Any bytes as a page: what is accepted has one data block, hashes of all that it runs, and reads as itself again.
enum Pages {
    /// A page with nothing on it.
    static let blank = PageTemplate(name: "f", head: [], tail: [], scriptHashes: [], styleHashes: [])

    private static let dataBlock = [UInt8](#"<script type="application/json" id="bridge-config">"#)
    private static let data = [UInt8](#"{"tenant":"\u003c/script\u003e\u003c!--"}"#)

    static func check(_ bytes: [UInt8]) {
        scan(bytes)
        for allowsInlineStyles in [false, true] {
            guard let page = read(bytes, allowsInlineStyles) else { continue }
            check(page, allowsInlineStyles)
        }
    }

    private static func read(_ bytes: [UInt8], _ allowsInlineStyles: Bool) -> PageTemplate? {
        let result = PageReader.read(bytes, name: "f", allowsInlineStyles: allowsInlineStyles) { name in
            .success([UInt8](name.hasSuffix(".css") ? "p { color: red }\r\n" : "start(1 < 2);\r\n"))
        }
        expect((result.template == nil) == !result.findings.isEmpty, "refused without a reason, or used with one")
        let offsets = result.findings.filter { $0.file == nil }.compactMap(\.offset)
        expect(offsets.allSatisfy { (0...bytes.count).contains($0) }, "a finding outside of the page: \(offsets)")
        return result.template
    }

    /// The tokens of a text, up to where it is refused, follow each other without a gap.
    private static func scan(_ bytes: [UInt8]) {
        var scanner = HTMLScanner(bytes)
        var end = 0
        do {
            while let token = try scanner.next() {
                let range = token.range
                expect(range.lowerBound == end && range.upperBound <= bytes.count, "\(range) comes after \(end)")
                end = range.upperBound
            }
            expect(end == bytes.count, "\(end) bytes read of \(bytes.count)")
        } catch {
            expect((end...bytes.count).contains(error.offset), "an error at \(error.offset) after \(end)")
        }
    }

    private static func check(_ page: PageTemplate, _ allowsInlineStyles: Bool) {
        let rendered = page.head + data + page.tail
        expect(page.head.suffix(dataBlock.count).elementsEqual(dataBlock), "no data block before the data")
        checkElements(rendered, page, allowsInlineStyles)
        guard let again = read(page.head + [UInt8]("{}") + page.tail, allowsInlineStyles) else {
            return expect(false, "refused when read again: \(text(rendered))")
        }
        expect(again.head == page.head && again.tail == page.tail, "another page when read again")
        let isSame = again.scriptHashes == page.scriptHashes && again.styleHashes == page.styleHashes
        expect(isSame, "other hashes when read again")
    }

    /// Every script is the data block or has its hash; no element loads or runs by itself.
    private static func checkElements(_ rendered: [UInt8], _ page: PageTemplate, _ allowsInlineStyles: Bool) {
        var scanner = HTMLScanner(rendered)
        var opened: HTMLStartTag?
        var dataBlocks = 0
        while let token = try? scanner.next() {
            switch token {
            case .startTag(let tag):
                opened = tag
                let isPlain = tag.attributes.allSatisfy { !$0.name.hasPrefix("on") && $0.name != "srcdoc" }
                expect(isPlain, "a handler in \(text(rendered[tag.range]))")
            case .rawText(let range):
                guard let opened else { return expect(false, "text of no element") }
                let content = rendered[range]
                let hash = "'sha256-" + SHA256.hash(Array(content)).base64 + "'"
                if rendered[opened.range].elementsEqual(dataBlock) {
                    dataBlocks += 1
                    expect(content.elementsEqual(data), "the data is not all of its block: \(text(content))")
                } else if opened.name == "script" {
                    expect(page.scriptHashes.contains(hash), "a script without its hash: \(text(content))")
                } else if opened.name == "style", !allowsInlineStyles {
                    expect(page.styleHashes.contains(hash), "a style without its hash: \(text(content))")
                }
            default: break
            }
        }
        expect(dataBlocks == 1, "\(dataBlocks) data blocks")
    }
}

extension HTMLToken {
    fileprivate var range: Range<Int> {
        switch self {
        case .doctype(let range), .comment(let range), .text(let range), .rawText(let range): range
        case .startTag(let tag): tag.range
        case .endTag(_, let range): range
        }
    }
}
