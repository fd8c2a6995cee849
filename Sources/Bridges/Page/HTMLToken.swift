/// A piece of an HTML text, as ranges into its bytes.
enum HTMLToken: Hashable {
    /// `<!doctype …>`.
    case doctype(Range<Int>)
    /// `<!-- … -->`.
    case comment(Range<Int>)
    /// `<name …>`.
    case startTag(HTMLStartTag)
    /// `</name>`.
    case endTag(name: String, range: Range<Int>)
    /// Characters between tags.
    case text(Range<Int>)
    /// The content of an element in which tags are no tags, such as `script`; it comes right after the start tag, even if empty.
    case rawText(Range<Int>)
}

/// A start tag.
struct HTMLStartTag: Hashable {
    /// In lower case.
    let name: String
    let attributes: [HTMLAttribute]
    let range: Range<Int>

    /// The attribute of that name.
    func attribute(_ name: String) -> HTMLAttribute? {
        attributes.first { $0.name.isSame(as: name) }
    }
}

/// An attribute, with its value as it stands: character references are not decoded.
struct HTMLAttribute: Hashable {
    /// In lower case.
    let name: String
    /// Empty where there is none.
    let value: [UInt8]
    let offset: Int

    /// The value in lower case, as text.
    var lowercasedValue: String { String(decoding: value.lowercased, as: UTF8.self) }
}

/// Why a text is refused as HTML: it is broken, or browsers may read it in more than one way.
struct HTMLSyntaxError: Error, Hashable {
    enum Reason: Hashable {
        /// The text ends inside a tag, a comment or a raw text.
        case unexpectedEnd
        /// A character that can't stand in a tag there.
        case character
        /// `<!…` that is neither a comment nor a document type, or `<?`.
        case declaration
        /// A comment that ends or nests in one of the ways that parsers disagree about.
        case comment
        /// `/>` after an element that does not end by that.
        case selfClosing
        /// Two attributes of one name.
        case duplicateAttribute
        /// `</script` or the like inside that element, not being its end tag.
        case endTagInside
    }

    let reason: Reason
    let offset: Int
}
