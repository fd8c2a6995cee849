internal import JSON

// The wording of what can be wrong with pages.

extension Problem {
    /// What a page's checks found.
    static func page(_ finding: PageReader.Finding, file: String, position: Position?) -> Problem {
        let words = finding.kind.words
        return Problem(
            file: file,
            position: position,
            found: words.found,
            expected: words.expected,
            advice: words.advice
        )
    }
}

extension PageReader.Finding.Kind {
    private typealias Words = (found: String, expected: String, advice: String?)

    fileprivate var words: (found: String, expected: String, advice: String?) {
        switch self {
        case .syntax(let reason): (reason.found, "plain HTML that every browser reads alike", nil)
        case .byteOrderMark: ("a byte order mark", "UTF-8 text without one", "Save the file as UTF-8 without BOM.")
        case .nulByte: ("a NUL byte", "text", nil)
        case .invalidUTF8: ("bytes that are not UTF-8", "UTF-8 text", "Save the file as UTF-8.")
        case .missingDoctype: ("no document type", "<!doctype html> at the beginning", nil)
        case .missingDataBlock: ("no data block", Self.dataBlock, "It is where the tenant's data goes.")
        case .secondDataBlock: ("a second data block", "one data block", nil)
        case .dataBlockContent: ("content in the data block", "{} or white space", "The tenant's data replaces it.")
        case .dataBlockID: ("another element with the data block's id", "that id once", nil)
        case .asset(let asset): asset.words
        default: markupWords
        }
    }

    private var markupWords: Words {
        switch self {
        case .scriptForm:
            (
                "another form of script element",
                "<script>…</script>, or <script src=\"NAME.js\"></script> of a file in public/",
                "An external script is inserted by an inline one; defer, async and type=module are not possible."
            )
        case .stylesheetForm:
            ("another form of stylesheet link", "<link rel=\"stylesheet\" href=\"NAME.css\"> of a file in public/", nil)
        case .link: ("a link of another kind", "rel icon, preconnect, dns-prefetch or stylesheet", nil)
        case .eventHandler(let name):
            ("the event handler \(name)", "addEventListener in a script", "The policy blocks handlers in markup.")
        case .styleAttribute:
            (
                "a style attribute", "a class and a <style> element",
                "Style attributes need 'unsafe-inline' in the descriptor's style-src."
            )
        case .scriptURL(let name):
            ("a URL in \(name) that runs as a script or hides its scheme", "an https, data or relative URL", nil)
        case .metaEquivalent: ("http-equiv", "no such attribute", "The service sends the fields.")
        case .element(let name): ("the element <\(name)>", "a page without it", nil)
        case .markupInAttribute(let name): ("'<' in the value of \(name)", "&lt;", nil)
        case .frameDocument: ("srcdoc", "a frame with a URL", "A document in an attribute escapes the checks.")
        case .unreadable(let file, let reason):
            ("\(Problem.quoted(file)), which can't be read: \(reason)", "a file in public/", nil)
        default: placeWords
        }
    }

    private var placeWords: Words {
        switch self {
        case .insideForeign(let name):
            ("<\(name)> inside svg or math", "none there", "Browsers read it otherwise there.")
        case .insideNoscript(let what):
            ("\(what) inside noscript", "plain elements and text", "Browsers read it as one text or as markup.")
        case .titleMarkup: ("'<' in the title", "&lt;", nil)
        default:
            (
                "<!-- in a script", "a script without it, as in '<\\!--'",
                "It changes where browsers think the script ends."
            )
        }
    }

    private static let dataBlock =
        "<script type=\"application/json\" id=\"bridge-config\">{}</script> once, in this form"
}

extension PageReader.Finding.Asset {
    fileprivate var words: (found: String, expected: String, advice: String?) {
        switch self {
        case .endTag(let tag): ("\(tag) in a file that is put into pages", "'<\\/' in place of '</'", nil)
        case .comment: ("<!-- in a file that is put into pages", "'<\\!--' in place of '<!--'", nil)
        }
    }
}

extension HTMLSyntaxError.Reason {
    fileprivate var found: String {
        switch self {
        case .unexpectedEnd: "the end of the page inside a tag, comment or script that is not closed"
        case .character: "a character that can't stand there in a tag"
        case .declaration: "'<!' or '<?' that begins neither a comment nor the document type"
        case .comment: "a comment in an unusual form"
        case .selfClosing: "'/>' after an element that it does not close"
        case .duplicateAttribute: "an attribute that the tag has already"
        case .endTagInside: "an end tag inside a script or style that does not end it"
        }
    }
}
