internal import Crypto
internal import JSON

/// A page with its scripts and styles inlined and hashed, open at the one place where a tenant's data goes.
struct PageTemplate: Sendable {
    /// The exact tag that opens the data block.
    static let dataTag = #"<script type="application/json" id="bridge-config">"#

    let name: String
    /// All before the data.
    let head: [UInt8]
    /// All after it.
    let tail: [UInt8]
    /// `'sha256-…'` of each script, in order.
    let scriptHashes: [String]
    /// The same of each style element.
    let styleHashes: [String]
    /// Whether an element has a `style` attribute, which only `'unsafe-inline'` lets work.
    let hasStyleAttributes: Bool
    /// SHA-256 of head and tail, for revisions.
    let digest: [UInt8]

    /// The page with a tenant's data.
    func render(data: [UInt8]) -> [UInt8] { head + data + tail }
}

/// Makes a ``PageTemplate`` of a file and refuses what a strict policy could not protect.
struct PageTemplateReader {
    /// Reads a file of `public/`; reports the failure and returns nil if it can't.
    let readAsset: (String) -> [UInt8]?
    let file: String
    let problems: ProblemCollector

    func read(_ name: String, _ source: [UInt8]) -> PageTemplate? {
        let errorsBefore = problems.problems.count
        guard let text = normalized(source, file: file), let page = inlined(text) else { return nil }
        let tags = HTMLScanner.tags(page)
        for tag in tags { check(tag, page) }
        let blocks = tags.filter { isDataBlock($0, page) }
        guard blocks.count == 1, let block = blocks.first?.rawText else {
            report(page, at: blocks.last?.range.lowerBound ?? 0, .dataBlock(count: blocks.count))
            return nil
        }
        let content = page[block].filter { !" \n\t".utf8.contains($0) }
        if !content.elementsEqual("{}".utf8) { report(page, at: block.lowerBound, .dataBlockContent) }
        guard problems.problems.count == errorsBefore else { return nil }
        let head = Array(page[..<block.lowerBound])
        let tail = Array(page[block.upperBound...])
        return PageTemplate(
            name: name,
            head: head,
            tail: tail,
            scriptHashes: hashes(of: "script", in: tags.filter { !isDataBlock($0, page) }, page),
            styleHashes: hashes(of: "style", in: tags, page),
            hasStyleAttributes: tags.contains { $0.value(of: "style") != nil },
            digest: SHA256.hash(SHA256.hash(head) + SHA256.hash(tail))
        )
    }

    private func hashes(of element: String, in tags: [HTMLScanner.Tag], _ page: [UInt8]) -> [String] {
        tags.filter { $0.name == element }.compactMap(\.rawText).map { range in
            "'sha256-\(SHA256.hash(Array(page[range])).base64)'"
        }
    }

    /// UTF-8 with LF as its only line end, as the HTML parser sees it, which is what a browser hashes.
    private func normalized(_ bytes: [UInt8], file: String) -> [UInt8]? {
        let isText = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0)
        guard isText, !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            problems.report(.page(file: file, position: nil, .notText))
            return nil
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte != 0x0D {
                result.append(byte)
            } else if index + 1 == bytes.count || bytes[index + 1] != 0x0A {
                result.append(0x0A)
            }
        }
        return result
    }

    // MARK: Inlining

    private func inlined(_ page: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var copied = 0
        for tag in HTMLScanner.tags(page) {
            guard let asset = assetName(tag, page) else { continue }
            guard let text = readAsset(asset).flatMap({ normalized($0, file: asset) }) else { return nil }
            let lowered = String(decoding: text, as: UTF8.self).asciiLowercased
            for forbidden in ["</script", "<!--", "</style"] where lowered.utf8Contains(forbidden) {
                report(page, at: tag.range.lowerBound, .endsElement(asset: asset, text: forbidden))
                return nil
            }
            let element = tag.name == "script" ? "script" : "style"
            result += page[copied..<tag.range.lowerBound]
            result += "<\(element)>".utf8
            result += text
            result += "</\(element)>".utf8
            copied = tag.end
        }
        return result + page[copied...]
    }

    /// The file that a tag names in exactly the form that is inlined.
    private func assetName(_ tag: HTMLScanner.Tag, _ page: [UInt8]) -> String? {
        let source = String(decoding: page[tag.range.lowerBound..<tag.end], as: UTF8.self)
        if tag.name == "script", let name = tag.value(of: "src"), isAssetName(name) {
            return source == "<script src=\"\(name)\"></script>" ? name : nil
        }
        if tag.name == "link", let name = tag.value(of: "href"), isAssetName(name) {
            return source == "<link rel=\"stylesheet\" href=\"\(name)\">" ? name : nil
        }
        return nil
    }

    private func isAssetName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != UInt8(ascii: ".") else { return false }
        return name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-_.".utf8.contains(byte)
        }
    }

    // MARK: Checks

    private func isDataBlock(_ tag: HTMLScanner.Tag, _ page: [UInt8]) -> Bool {
        page[tag.range].elementsEqual(PageTemplate.dataTag.utf8)
    }

    private func check(_ tag: HTMLScanner.Tag, _ page: [UInt8]) {
        let place = tag.range.lowerBound
        for attribute in tag.attributes {
            if attribute.name.utf8.starts(with: "on".utf8) { report(page, at: place, .eventHandler(attribute.name)) }
            let value = attribute.value.asciiLowercased.utf8.filter { $0 > 0x20 }
            if value.starts(with: "javascript:".utf8) { report(page, at: place, .scriptURL(attribute.name)) }
        }
        switch tag.name {
        case "script":
            if tag.rawText == nil { report(page, at: place, .unclosed("script")) }
            let isAllowed = tag.attributes.isEmpty || isDataBlock(tag, page)
            if !isAllowed { report(page, at: place, .scriptForm) }
            checkRawText(tag, page)
        case "style":
            if tag.rawText == nil { report(page, at: place, .unclosed("style")) }
            checkRawText(tag, page)
        case "link" where tag.value(of: "rel")?.asciiLowercased.utf8Contains("stylesheet") == true:
            report(page, at: place, .linkForm)
        case "base": report(page, at: place, .baseElement)
        case "meta" where tag.value(of: "http-equiv") != nil: report(page, at: place, .metaField)
        default: break
        }
    }

    /// `<!--` inside a script puts the HTML parser into a state in which `</script>` does not end it.
    private func checkRawText(_ tag: HTMLScanner.Tag, _ page: [UInt8]) {
        guard let range = tag.rawText else { return }
        if String(decoding: page[range], as: UTF8.self).utf8Contains("<!--") {
            report(page, at: range.lowerBound, .commentInScript)
        }
    }

    private func report(_ page: [UInt8], at offset: Int, _ defect: PageDefect) {
        problems.report(.page(file: file, position: position(page, offset), defect))
    }

    private func position(_ page: [UInt8], _ offset: Int) -> Position {
        let before = page[..<offset]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let line = before.count { $0 == 0x0A } + 1
        return Position(line: line, column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
    }
}

extension String {
    func utf8Contains(_ text: String) -> Bool {
        let pattern = Array(text.utf8)
        let bytes = Array(utf8)
        guard !pattern.isEmpty, bytes.count >= pattern.count else { return pattern.isEmpty }
        return (0...(bytes.count - pattern.count)).contains { start in
            bytes[start] == pattern[0] && bytes[start..<(start + pattern.count)].elementsEqual(pattern)
        }
    }
}
