extension PageReader {
    /// What a page's checks found wrong, and where.
    struct Finding: Hashable {
        enum Kind: Hashable {
            case syntax(HTMLSyntaxError.Reason)
            case byteOrderMark
            case nulByte
            case invalidUTF8
            case missingDoctype
            case missingDataBlock
            case secondDataBlock
            case dataBlockContent
            case dataBlockID
            case scriptForm
            case stylesheetForm
            case link
            case eventHandler(String)
            case styleAttribute
            case scriptURL(String)
            case metaEquivalent
            case element(String)
            case markupInAttribute(String)
            case frameDocument
            case insideForeign(String)
            case insideNoscript(String)
            case titleMarkup
            case commentInScript
            case unreadable(file: String, reason: String)
            case asset(Asset)
        }

        /// What can't stand in a file that is put into a page.
        enum Asset: Hashable {
            case endTag(String)
            case comment
        }

        let kind: Kind
        /// The file that it is in; nil for the page.
        var file: String?
        /// Where in that file's bytes (after line ends became LF); nil for the file as a whole.
        let offset: Int?
    }
}
