/// Judges one start tag of a page by itself.
struct TagCheck {
    private let tag: HTMLStartTag
    private let allowsInlineStyles: Bool

    init(_ tag: HTMLStartTag, allowsInlineStyles: Bool) {
        self.tag = tag
        self.allowsInlineStyles = allowsInlineStyles
    }

    func findings(isOwnStylesheet: Bool, isDataBlock: Bool) -> [PageReader.Finding] {
        var kinds: [(PageReader.Finding.Kind, Int)] = tag.attributes.compactMap { attribute in
            finding(attribute).map { ($0, attribute.offset) }
        }
        if Self.refusedElements.contains(tag.name) { kinds.append((.element(tag.name), tag.range.lowerBound)) }
        if tag.name == "link", !isOwnStylesheet, let kind = linkFinding() { kinds.append((kind, tag.range.lowerBound)) }
        if !isDataBlock, let id = tag.attribute("id"), id.value.equals("bridge-config") {
            kinds.append((.dataBlockID, id.offset))
        }
        return kinds.map { PageReader.Finding(kind: $0.0, offset: $0.1) }
    }

    /// `base` moves every address; the others load plug-ins or documents, or change how all after them is read.
    private static let refusedElements: Set<String> = [
        "applet", "base", "embed", "frame", "frameset", "listing", "noembed", "noframes", "object", "plaintext", "xmp",
    ]

    private static let urlAttributes: Set<String> = [
        "action", "data", "formaction", "href", "poster", "src", "srcset", "xlink:href",
    ]

    private func finding(_ attribute: HTMLAttribute) -> PageReader.Finding.Kind? {
        let name = attribute.name
        if name.utf8.starts(with: "on".utf8) { return .eventHandler(name) }
        if attribute.value.contains(UInt8(ascii: "<")) { return .markupInAttribute(name) }
        if tag.name == "meta", name.isSame(as: "http-equiv") { return .metaEquivalent }
        if name.isSame(as: "srcdoc") { return .frameDocument }
        if name.isSame(as: "style"), !allowsInlineStyles { return .styleAttribute }
        if Self.urlAttributes.contains(name), isScriptURL(attribute.value) { return .scriptURL(name) }
        return nil
    }

    /// A browser drops white space and control characters and decodes references before it looks at the scheme.
    private func isScriptURL(_ value: [UInt8]) -> Bool {
        let scheme = value.filter { $0 > 0x20 && $0 != 0x7F }.prefix { !Set("/?#".utf8).contains($0) }
        if scheme.contains(UInt8(ascii: "&")) { return true }
        let lowercased = scheme.lowercased
        return lowercased.starts(with: "javascript:") || lowercased.starts(with: "vbscript:")
            || lowercased.starts(with: "data:text")
    }

    private func linkFinding() -> PageReader.Finding.Kind? {
        guard let rel = tag.attribute("rel")?.lowercasedValue else { return .link }
        if rel.isSame(as: "icon") || rel.isSame(as: "preconnect") || rel.isSame(as: "dns-prefetch") { return nil }
        return rel.utf8.split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual("stylesheet".utf8) }
            ? .stylesheetForm : .link
    }
}
