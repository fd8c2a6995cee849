/// Reads a page of `public/`, puts its files in, and refuses all that would break under a hash-based policy or open a hole in it.
struct PageReader {
    /// Reads a file of `public/` by its plain name; a failure is its reason.
    typealias AssetSource = (String) -> Result<[UInt8], AssetFailure>

    /// Why a file can't be read, in the system's words.
    struct AssetFailure: Error {
        let reason: String
    }

    private let bytes: [UInt8]
    private let allowsInlineStyles: Bool
    private let readAsset: AssetSource
    private var findings: [Finding] = []
    private var head: [UInt8]?
    private var output: [UInt8] = []
    private var scriptHashes: [String] = []
    private var styleHashes: [String] = []
    private var foreignDepth = 0
    private var noscriptDepth = 0
    private var hasDoctype = false
    private var opened: HTMLStartTag?

    /// The template, or all that is wrong with the page.
    ///
    /// - Parameter allowsInlineStyles: whether the bridge's `style-src` has `'unsafe-inline'`.
    static func read(
        _ bytes: [UInt8],
        name: String,
        allowsInlineStyles: Bool,
        readAsset: @escaping AssetSource
    ) -> (template: PageTemplate?, findings: [Finding]) {
        if let finding = Self.textFinding(bytes) { return (nil, [finding]) }
        var reader = PageReader(
            bytes: Self.normalizingLineEnds(bytes),
            allowsInlineStyles: allowsInlineStyles,
            readAsset: readAsset
        )
        reader.readTokens()
        guard reader.findings.isEmpty, let head = reader.head else { return (nil, reader.findings) }
        let template = PageTemplate(
            name: name,
            head: head,
            tail: reader.output,
            scriptHashes: reader.scriptHashes,
            styleHashes: reader.styleHashes
        )
        return (template, [])
    }

    private init(bytes: [UInt8], allowsInlineStyles: Bool, readAsset: @escaping AssetSource) {
        self.bytes = bytes
        self.allowsInlineStyles = allowsInlineStyles
        self.readAsset = readAsset
    }

    // MARK: The page from end to end

    private mutating func readTokens() {
        var scanner = HTMLScanner(bytes)
        do throws(HTMLSyntaxError) {
            while let token = try scanner.next() { read(token) }
        } catch {
            report(.syntax(error.reason), at: error.offset)
        }
        if !hasDoctype { report(.missingDoctype, at: 0) }
        if head == nil { findings.append(Finding(kind: .missingDataBlock, offset: nil)) }
    }

    private mutating func read(_ token: HTMLToken) {
        switch token {
        case .doctype(let range):
            hasDoctype = hasDoctype || bytes[..<range.lowerBound].allSatisfy(\.isHTMLSpace)
            keep(range)
        case .comment(let range):
            if noscriptDepth > 0 { report(.insideNoscript("a comment"), at: range.lowerBound) }
            keep(range)
        case .text(let range):
            keep(range)
        case .startTag(let tag):
            check(tag)
            track(tag.name, by: 1)
            readStart(tag)
        case .rawText(let range):
            readRawText(range)
        case .endTag(let name, let range):
            track(name, by: -1)
            keep(range)
        }
    }

    /// Scripts wait for their content; a stylesheet link is replaced; all else is kept.
    private mutating func readStart(_ tag: HTMLStartTag) {
        opened = tag
        if tag.name == "script" { return }
        guard tag.name == "link" else { return keep(tag.range) }
        guard let name = stylesheetName(tag) else { return keep(tag.range) }
        guard let text = asset(name, endTag: "</style", mention: tag) else { return }
        addStyle(text)
        output += "<style>".utf8
        output += text
        output += "</style>".utf8
    }

    private mutating func readRawText(_ range: Range<Int>) {
        guard let tag = opened else { return }
        switch tag.name {
        case "script": readScript(tag, content: range)
        case "style":
            addStyle(bytes[range])
            keep(range)
        case "title":
            if bytes[range].contains(UInt8(ascii: "<")) { report(.titleMarkup, at: range.lowerBound) }
            keep(range)
        default:
            keep(range)
        }
    }

    private mutating func readScript(_ tag: HTMLStartTag, content: Range<Int>) {
        let text = bytes[content]
        if bytes[tag.range].equals("<script>") {
            if let comment = text.firstRange(ofLowercased: "<!--") {
                report(.commentInScript, at: comment.lowerBound)
            }
            return addScript(text)
        }
        if bytes[tag.range].equals("<script type=\"application/json\" id=\"bridge-config\">") {
            return readDataBlock(tag, content: text)
        }
        guard let name = scriptName(tag), text.isEmpty else { return report(.scriptForm, at: tag.range.lowerBound) }
        if let asset = asset(name, endTag: "</script", mention: tag) { addScript(asset) }
    }

    private mutating func readDataBlock(_ tag: HTMLStartTag, content: ArraySlice<UInt8>) {
        guard head == nil else { return report(.secondDataBlock, at: tag.range.lowerBound) }
        let inner = content.filter { !$0.isHTMLSpace }
        if !inner.isEmpty, !inner.equals("{}") { report(.dataBlockContent, at: content.startIndex) }
        keep(tag.range)
        head = output
        output = []
    }

    private mutating func addScript(_ text: some Collection<UInt8>) {
        remember(PageTemplate.source(hashing: text), in: \.scriptHashes)
        output += "<script>".utf8
        output += text
    }

    private mutating func addStyle(_ text: some Collection<UInt8>) {
        if !allowsInlineStyles { remember(PageTemplate.source(hashing: text), in: \.styleHashes) }
    }

    private mutating func remember(_ source: String, in list: WritableKeyPath<PageReader, [String]>) {
        if !self[keyPath: list].contains(source) { self[keyPath: list].append(source) }
    }

    private mutating func keep(_ range: Range<Int>) { output += bytes[range] }

    private mutating func report(_ kind: Finding.Kind, at offset: Int) {
        findings.append(Finding(kind: kind, offset: offset))
    }

    // MARK: Files that are put in

    private func scriptName(_ tag: HTMLStartTag) -> String? {
        name(in: tag, between: "<script src=\"", and: "\">", ending: ".js")
    }

    private func stylesheetName(_ tag: HTMLStartTag) -> String? {
        name(in: tag, between: "<link rel=\"stylesheet\" href=\"", and: "\">", ending: ".css")
    }

    private func name(
        in tag: HTMLStartTag,
        between start: StaticString,
        and end: StaticString,
        ending: String
    ) -> String? {
        let text = bytes[tag.range]
        let (front, back) = (start.utf8CodeUnitCount, end.utf8CodeUnitCount)
        guard text.count > front + back, text.starts(with: start), text.suffix(back).equals(end) else { return nil }
        let name = String(decoding: text.dropFirst(front).dropLast(back), as: UTF8.self)
        return FileName.isPlain(name, ending: ending) ? name : nil
    }

    private mutating func asset(_ name: String, endTag: StaticString, mention tag: HTMLStartTag) -> [UInt8]? {
        switch readAsset(name) {
        case .failure(let failure):
            report(.unreadable(file: name, reason: failure.reason), at: tag.range.lowerBound)
            return nil
        case .success(let raw):
            let found = Self.assetFindings(raw, endTag: endTag)
            findings += found.map { Finding(kind: $0.kind, file: name, offset: $0.offset) }
            return found.isEmpty ? Self.normalizingLineEnds(raw) : nil
        }
    }

    // MARK: What surrounds a tag

    private mutating func track(_ name: String, by change: Int) {
        switch name {
        case "svg", "math": foreignDepth = max(0, foreignDepth + change)
        case "noscript": noscriptDepth = max(0, noscriptDepth + change)
        default: break
        }
    }

    private mutating func check(_ tag: HTMLStartTag) {
        if HTMLScanner.rawTextElements.contains(tag.name) {
            if foreignDepth > 0, tag.name != "title" { report(.insideForeign(tag.name), at: tag.range.lowerBound) }
            if noscriptDepth > 0 { report(.insideNoscript("<\(tag.name)>"), at: tag.range.lowerBound) }
        }
        let isForStyles = tag.name == "link" && stylesheetName(tag) != nil
        let isDataBlock = bytes[tag.range].equals("<script type=\"application/json\" id=\"bridge-config\">")
        findings += TagCheck(tag, allowsInlineStyles: allowsInlineStyles)
            .findings(isOwnStylesheet: isForStyles, isDataBlock: isDataBlock)
    }
}
