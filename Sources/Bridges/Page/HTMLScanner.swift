/// Cuts HTML into tokens, for checking pages that we ship: what is unclear is refused rather than repaired.
///
/// It follows the tokenizer of the HTML standard wherever it accepts; any bytes are safe to give.
struct HTMLScanner {
    /// Elements whose content is text up to their end tag.
    static let rawTextElements: Set<String> = ["script", "style", "textarea", "title", "iframe"]

    private let bytes: [UInt8]
    private var offset = 0
    private var rawTextElement: String?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next token, or nil at the end.
    mutating func next() throws(HTMLSyntaxError) -> HTMLToken? {
        if let element = rawTextElement {
            rawTextElement = nil
            return .rawText(try scanRawText(of: element))
        }
        guard offset < bytes.count else { return nil }
        guard bytes[offset] == UInt8(ascii: "<") else { return .text(scanText(from: offset)) }
        switch peek(1) {
        case UInt8(ascii: "!"): return try scanDeclaration()
        case UInt8(ascii: "?"): throw failure(.declaration)
        case UInt8(ascii: "/"): return try scanEndTag()
        case .some(let byte) where byte.isLetter: return .startTag(try scanStartTag())
        default: return .text(scanText(from: offset))
        }
    }

    // MARK: Text

    /// A `<` before anything but a letter, `/`, `!` or `?` is text.
    private mutating func scanText(from start: Int) -> Range<Int> {
        offset += 1
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
        return start..<offset
    }

    private mutating func scanRawText(of element: String) throws(HTMLSyntaxError) -> Range<Int> {
        let start = offset
        let name = Array(element.utf8)
        while offset < bytes.count {
            guard bytes[offset] == UInt8(ascii: "<"), peek(1) == UInt8(ascii: "/"), isHere(name, at: offset + 2) else {
                offset += 1
                continue
            }
            let after = offset + 2 + name.count
            guard after < bytes.count else { break }
            guard bytes[after].isHTMLSpace || bytes[after] == UInt8(ascii: ">") else { throw failure(.endTagInside) }
            return start..<offset
        }
        throw failure(.unexpectedEnd, at: start)
    }

    // MARK: Declarations

    private mutating func scanDeclaration() throws(HTMLSyntaxError) -> HTMLToken {
        let start = offset
        if bytes[offset...].starts(with: "<!--") { return .comment(try scanComment()) }
        guard isHere(Array("<!doctype".utf8), at: offset) else { throw failure(.declaration) }
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: ">")) else { throw failure(.unexpectedEnd) }
        offset = end + 1
        return .doctype(start..<offset)
    }

    private mutating func scanComment() throws(HTMLSyntaxError) -> Range<Int> {
        let start = offset
        let content = offset + 4
        guard peek(4) != UInt8(ascii: ">"), !bytes[content...].starts(with: "->") else { throw failure(.comment) }
        offset = content
        while offset < bytes.count {
            let rest = bytes[offset...]
            if rest.starts(with: "-->") {
                offset += 3
                return start..<offset
            }
            if rest.starts(with: "--!>") || rest.starts(with: "<!--") { throw failure(.comment) }
            offset += 1
        }
        throw failure(.unexpectedEnd, at: start)
    }

    // MARK: Tags

    private mutating func scanEndTag() throws(HTMLSyntaxError) -> HTMLToken {
        let start = offset
        offset += 2
        guard let first = peek(0), first.isLetter else { throw failure(.character) }
        let name = scanTagName()
        skipSpace()
        guard peek(0) == UInt8(ascii: ">") else { throw failure(peek(0) == nil ? .unexpectedEnd : .character) }
        offset += 1
        return .endTag(name: name, range: start..<offset)
    }

    private mutating func scanStartTag() throws(HTMLSyntaxError) -> HTMLStartTag {
        let start = offset
        offset += 1
        let name = scanTagName()
        var attributes: [HTMLAttribute] = []
        while true {
            let hasSpace = skipSpace()
            guard let byte = peek(0) else { throw failure(.unexpectedEnd, at: start) }
            if byte == UInt8(ascii: ">") { break }
            if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: ">") {
                guard !Self.rawTextElements.contains(name) else { throw failure(.selfClosing) }
                offset += 1
                break
            }
            guard hasSpace else { throw failure(.character) }
            let attribute = try scanAttribute()
            guard !attributes.contains(where: { $0.name.isSame(as: attribute.name) }) else {
                throw failure(.duplicateAttribute, at: attribute.offset)
            }
            attributes.append(attribute)
        }
        offset += 1
        if Self.rawTextElements.contains(name) { rawTextElement = name }
        return HTMLStartTag(name: name, attributes: attributes, range: start..<offset)
    }

    private mutating func scanTagName() -> String {
        scanName { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":") }
    }

    private mutating func scanAttribute() throws(HTMLSyntaxError) -> HTMLAttribute {
        let start = offset
        let marks = Set("-_:.@".utf8)
        let name = scanName { $0.isLetter || $0.isDigit || marks.contains($0) }
        guard offset > start else { throw failure(.character) }
        let end = offset
        skipSpace()
        guard peek(0) == UInt8(ascii: "=") else {
            // The space belongs before the next attribute.
            offset = end
            return HTMLAttribute(name: name, value: [], offset: start)
        }
        offset += 1
        skipSpace()
        return HTMLAttribute(name: name, value: try scanAttributeValue(), offset: start)
    }

    private mutating func scanAttributeValue() throws(HTMLSyntaxError) -> [UInt8] {
        guard let quote = peek(0) else { throw failure(.unexpectedEnd) }
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return try scanUnquotedValue() }
        let start = offset + 1
        guard let end = bytes[start...].firstIndex(of: quote) else { throw failure(.unexpectedEnd) }
        offset = end + 1
        return Array(bytes[start..<end])
    }

    private mutating func scanUnquotedValue() throws(HTMLSyntaxError) -> [UInt8] {
        let start = offset
        let forbidden = Set("\"'<=`".utf8)
        while let byte = peek(0), !byte.isHTMLSpace, byte != UInt8(ascii: ">") {
            guard !forbidden.contains(byte) else { throw failure(.character) }
            offset += 1
        }
        guard offset > start else { throw failure(.character) }
        return Array(bytes[start..<offset])
    }

    private mutating func scanName(_ isPart: (UInt8) -> Bool) -> String {
        let start = offset
        while let byte = peek(0), isPart(byte) { offset += 1 }
        return String(decoding: bytes[start..<offset].lowercased, as: UTF8.self)
    }

    // MARK: Bytes

    private func peek(_ distance: Int) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    private func isHere(_ name: [UInt8], at start: Int) -> Bool {
        start + name.count <= bytes.count && name.indices.allSatisfy { bytes[start + $0].lowercased == name[$0] }
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = offset
        while let byte = peek(0), byte.isHTMLSpace { offset += 1 }
        return offset > start
    }

    private func failure(_ reason: HTMLSyntaxError.Reason, at place: Int? = nil) -> HTMLSyntaxError {
        HTMLSyntaxError(reason: reason, offset: place ?? offset)
    }
}
