/// Cuts an HTML document into the parts that matter for what it may load and run.
///
/// It is no HTML parser: it knows comments, tags with attributes, and the raw text of `script` and `style`, as WHATWG's
/// tokenizer sees them in a document without tricks; ``PageTemplate`` refuses documents with tricks. Any bytes are taken.
struct HTMLScanner {
    struct Attribute: Equatable {
        let name: String
        let value: String
    }

    /// A start tag, with its raw text if it opens `script` or `style`.
    struct Tag: Equatable {
        let name: String
        let attributes: [Attribute]
        /// From `<` to after `>`.
        let range: Range<Int>
        /// The text up to the end tag; nil for other elements, and without an end tag.
        let rawText: Range<Int>?
        /// To after the end tag of `script` and `style`, else to after `>`.
        let end: Int

        func value(of name: String) -> String? { attributes.first { $0.name == name }?.value }
    }

    private let bytes: [UInt8]
    private var offset = 0

    /// All start tags, in order.
    static func tags(_ bytes: [UInt8]) -> [Tag] {
        var scanner = HTMLScanner(bytes: bytes)
        var tags: [Tag] = []
        while let tag = scanner.nextTag() { tags.append(tag) }
        return tags
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func nextTag() -> Tag? {
        while let start = find("<", from: offset) {
            if matches("<!--", at: start) {
                offset = find("-->", from: start + 4).map { $0 + 3 } ?? bytes.count
            } else if start + 1 < bytes.count, Self.isLetter(bytes[start + 1]) {
                return readTag(start)
            } else {
                offset = start + 1
            }
        }
        return nil
    }

    private mutating func readTag(_ start: Int) -> Tag? {
        offset = start + 1
        let name = readWhile { !Self.isSpace($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
        var attributes: [Attribute] = []
        while let attribute = readAttribute() { attributes.append(attribute) }
        guard offset < bytes.count else { return nil }
        offset += 1
        let range = start..<offset
        guard name == "script" || name == "style" else {
            return Tag(name: name, attributes: attributes, range: range, rawText: nil, end: offset)
        }
        guard let textEnd = find("</\(name)", from: offset), let tagEnd = find(">", from: textEnd) else {
            offset = bytes.count
            return Tag(name: name, attributes: attributes, range: range, rawText: nil, end: offset)
        }
        let rawText = offset..<textEnd
        offset = tagEnd + 1
        return Tag(name: name, attributes: attributes, range: range, rawText: rawText, end: offset)
    }

    private mutating func readAttribute() -> Attribute? {
        _ = readWhile { Self.isSpace($0) || $0 == UInt8(ascii: "/") }
        guard offset < bytes.count, bytes[offset] != UInt8(ascii: ">") else { return nil }
        let first = offset
        let isEnd: (UInt8) -> Bool = { byte in
            Self.isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=")
        }
        offset += 1
        let rest = readWhile { !isEnd($0) }
        let name = String(decoding: bytes[first...first], as: UTF8.self).asciiLowercased + rest
        let beforeEquals = offset
        _ = readWhile(Self.isSpace)
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "=") else {
            offset = beforeEquals
            return Attribute(name: name, value: "")
        }
        offset += 1
        _ = readWhile(Self.isSpace)
        return Attribute(name: name, value: readValue())
    }

    private mutating func readValue() -> String {
        guard offset < bytes.count else { return "" }
        let quote = bytes[offset]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = offset
            _ = readWhile { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }
        let start = offset + 1
        offset = start
        _ = readWhile { $0 != quote }
        let value = String(decoding: bytes[start..<offset], as: UTF8.self)
        offset = min(offset + 1, bytes.count)
        return value
    }

    private mutating func readWhile(_ condition: (UInt8) -> Bool) -> String {
        let start = offset
        while offset < bytes.count, condition(bytes[offset]) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self).asciiLowercased
    }

    private func find(_ text: String, from start: Int) -> Int? {
        let pattern = Array(text.utf8)
        guard let last = pattern.isEmpty ? nil : bytes.count - pattern.count, start <= last else { return nil }
        return (start...last).first { matches(pattern, at: $0) }
    }

    private func matches(_ text: String, at start: Int) -> Bool { matches(Array(text.utf8), at: start) }

    private func matches(_ pattern: [UInt8], at start: Int) -> Bool {
        guard start + pattern.count <= bytes.count else { return false }
        return pattern.indices.allSatisfy { asciiLowercased(bytes[start + $0]) == pattern[$0] }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

private func asciiLowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

extension String {
    /// ASCII capitals as small letters; every other character as it is.
    var asciiLowercased: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
