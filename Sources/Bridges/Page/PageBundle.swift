/// A page as one file for an app that ships it: what a server's fields say stands in the file, as far as it can.
public struct PageBundle: Sendable {
    /// The file.
    public let bytes: [UInt8]
    /// What only a server's fields can carry, by name: directives of the policy, then fields.
    public let leftOut: [String]

    /// The page with its policy as a `meta` element (CSP3 §3.3).
    ///
    /// The element is all that is added, so every hash in the policy stays true.
    public init(_ page: Page) {
        let directives = page.contentSecurityPolicy.split(separator: "; ")
        let carried = directives.filter { !Self.isForFieldsAlone(Self.name(of: $0)) }
        let place = Self.place(in: page.head)
        let element = Self.element(policy: carried.joined(separator: "; "), withCharset: !place.hasCharset)
        bytes = page.head[..<place.offset] + element + page.head[place.offset...] + page.data + page.tail
        leftOut =
            directives.map(Self.name).filter(Self.isForFieldsAlone)
            + (page.reportOnlyPolicy == nil ? [] : ["Content-Security-Policy-Report-Only"])
            + ["Permissions-Policy"]
    }

    private static func name(of directive: Substring) -> String { String(directive.prefix { $0 != " " }) }

    private static func isForFieldsAlone(_ name: String) -> Bool {
        Directive.named(name, among: Directive.ofFieldsAlone) != nil
    }

    private static func element(policy: String, withCharset: Bool) -> [UInt8] {
        var text: [UInt8] = Array(withCharset ? "\n<meta charset=\"utf-8\">".utf8 : "".utf8)
        text += "\n<meta http-equiv=\"Content-Security-Policy\" content=\"".utf8
        // A source's path may hold an ampersand; its other characters mean themselves in an attribute.
        for byte in policy.utf8 { text += byte == UInt8(ascii: "&") ? Array("&amp;".utf8) : [byte] }
        return text + "\">".utf8
    }

    /// Where the policy goes: a file has no charset but its own, and the policy rules only what comes after it.
    private static func place(in head: [UInt8]) -> (offset: Int, hasCharset: Bool) {
        var scanner = HTMLScanner(head)
        var offset = 0
        while let token = try? scanner.next() {
            switch token {
            case .doctype(let range):
                offset = range.upperBound
            case .startTag(let tag) where tag.name == "html" || tag.name == "head":
                offset = tag.range.upperBound
            case .startTag(let tag) where tag.name == "meta" && tag.attribute("charset") != nil:
                return (tag.range.upperBound, true)
            case .comment:
                continue
            case .text(let range) where head[range].allSatisfy(\.isHTMLSpace):
                continue
            default:
                return (offset, false)
            }
        }
        return (offset, false)
    }
}
