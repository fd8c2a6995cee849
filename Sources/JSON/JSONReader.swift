/// Reads JSON strictly (RFC 8259): UTF-8 without a byte order mark, no trailing comma, no comment, no lone surrogate.
///
/// A repeated name does not stop the reading; ``JSONDocument/duplicates`` tells of it.
public struct JSONReader {
    /// How many arrays and objects may stand in each other.
    public static let defaultDepth = 64

    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    /// UTF-8 continuation bytes since `lineStart`: they take no column.
    private var continuationBytes = 0
    private var duplicates: [JSONDocument.Duplicate] = []

    /// Reads a whole text.
    public static func read(_ bytes: [UInt8], maximumDepth: Int = defaultDepth) throws(JSONSyntaxError) -> JSONDocument
    {
        var reader = JSONReader(bytes: bytes, maximumDepth: maximumDepth)
        return try reader.readDocument()
    }

    private init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private mutating func readDocument() throws(JSONSyntaxError) -> JSONDocument {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw failure(.byteOrderMark) }
        skipWhitespace()
        let root = try readValue(path: .root, depth: 0)
        skipWhitespace()
        guard offset == bytes.count else { throw failure(.trailingContent) }
        return JSONDocument(root: root, duplicates: duplicates)
    }

    private mutating func readValue(path: JSONPath, depth: Int) throws(JSONSyntaxError) -> JSONNode {
        let position = self.position
        let byte = try current()
        let content: JSONNode.Content =
            switch byte {
            case UInt8(ascii: "{"): .object(try readMembers(path: path, depth: depth + 1))
            case UInt8(ascii: "["): .array(try readElements(path: path, depth: depth + 1))
            case UInt8(ascii: "\""): .string(try readString())
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number(try readNumber())
            case UInt8(ascii: "t"): try readLiteral("true", .bool(true))
            case UInt8(ascii: "f"): try readLiteral("false", .bool(false))
            case UInt8(ascii: "n"): try readLiteral("null", .null)
            default: throw failure(.unexpected(byte: byte, expected: .value))
            }
        return JSONNode(content: content, position: position)
    }

    private mutating func readElements(path: JSONPath, depth: Int) throws(JSONSyntaxError) -> [JSONNode] {
        guard depth <= maximumDepth else { throw failure(.tooDeep(limit: maximumDepth)) }
        advance()
        skipWhitespace()
        var elements: [JSONNode] = []
        if try accept(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try readValue(path: path.element(elements.count), depth: depth))
            if try readSeparator(close: UInt8(ascii: "]")) { return elements }
        }
    }

    private mutating func readMembers(path: JSONPath, depth: Int) throws(JSONSyntaxError) -> [JSONMember] {
        guard depth <= maximumDepth else { throw failure(.tooDeep(limit: maximumDepth)) }
        advance()
        skipWhitespace()
        var members: [JSONMember] = []
        var seen: [[UInt8]: Position] = [:]
        if try accept(UInt8(ascii: "}")) { return members }
        while true {
            let position = self.position
            let byte = try current()
            guard byte == UInt8(ascii: "\"") else { throw failure(.unexpected(byte: byte, expected: .name)) }
            let name = try readString()
            let memberPath = path.member(name)
            let first = seen[Array(name.utf8), default: position]
            seen[Array(name.utf8)] = first
            if first != position { duplicates.append(.init(path: memberPath, position: position, first: first)) }
            skipWhitespace()
            guard try accept(UInt8(ascii: ":")) else {
                throw failure(.unexpected(byte: bytes[offset], expected: .colon))
            }
            skipWhitespace()
            let node = try readValue(path: memberPath, depth: depth)
            members.append(JSONMember(name: name, position: position, node: node))
            if try readSeparator(close: UInt8(ascii: "}")) { return members }
        }
    }

    /// Reads `,` (false) or `close` (true), and the white space about it.
    private mutating func readSeparator(close: UInt8) throws(JSONSyntaxError) -> Bool {
        skipWhitespace()
        if try accept(close) { return true }
        guard try accept(UInt8(ascii: ",")) else {
            throw failure(.unexpected(byte: bytes[offset], expected: .separator))
        }
        skipWhitespace()
        if try current() == close { throw failure(.trailingComma) }
        return false
    }

    private mutating func readLiteral(
        _ text: StaticString,
        _ content: JSONNode.Content
    ) throws(JSONSyntaxError) -> JSONNode.Content {
        for index in 0..<text.utf8CodeUnitCount {
            let byte = try current()
            guard byte == text.utf8Start[index] else { throw failure(.unexpected(byte: byte, expected: .literal)) }
            advance()
        }
        return content
    }

    private mutating func readNumber() throws(JSONSyntaxError) -> String {
        let start = offset
        _ = accepted(UInt8(ascii: "-"))
        if !accepted(UInt8(ascii: "0")) { try readDigits() }
        if accepted(UInt8(ascii: ".")) { try readDigits() }
        if accepted(UInt8(ascii: "e")) || accepted(UInt8(ascii: "E")) {
            if !accepted(UInt8(ascii: "+")) { _ = accepted(UInt8(ascii: "-")) }
            try readDigits()
        }
        if offset < bytes.count, Self.isDigit(bytes[offset]) { throw failure(.invalidNumber) }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func readDigits() throws(JSONSyntaxError) {
        guard Self.isDigit(try current()) else { throw failure(.invalidNumber) }
        while offset < bytes.count, Self.isDigit(bytes[offset]) { advance() }
    }
}

// MARK: - Strings

extension JSONReader {
    private mutating func readString() throws(JSONSyntaxError) -> String {
        advance()
        var decoded: [UInt8] = []
        var runStart = offset
        while true {
            let byte = try current()
            switch byte {
            case UInt8(ascii: "\""):
                decoded.append(contentsOf: bytes[runStart..<offset])
                advance()
                return String(decoding: decoded, as: UTF8.self)
            case UInt8(ascii: "\\"):
                decoded.append(contentsOf: bytes[runStart..<offset])
                decoded.append(contentsOf: try readEscape())
                runStart = offset
            case 0..<0x20:
                throw failure(.controlCharacter(byte))
            case 0x80...:
                try skipMultibyteScalar()
            default:
                advance()
            }
        }
    }

    private mutating func readEscape() throws(JSONSyntaxError) -> [UInt8] {
        let start = position
        advance()
        let byte = try current()
        advance()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try readUnicodeEscape(start: start)
        default: throw JSONSyntaxError(reason: .invalidEscape, position: start)
        }
    }

    private mutating func readUnicodeEscape(start: Position) throws(JSONSyntaxError) -> [UInt8] {
        var value = try readHexadecimal(start: start)
        if (0xD800...0xDBFF).contains(value) {
            guard accepted(UInt8(ascii: "\\")), accepted(UInt8(ascii: "u")) else {
                throw JSONSyntaxError(reason: .loneSurrogate, position: start)
            }
            let low = try readHexadecimal(start: start)
            guard (0xDC00...0xDFFF).contains(low) else {
                throw JSONSyntaxError(reason: .loneSurrogate, position: start)
            }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else {
            throw JSONSyntaxError(reason: .loneSurrogate, position: start)
        }
        return Array(encoded)
    }

    private mutating func readHexadecimal(start: Position) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = try current()
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw JSONSyntaxError(reason: .invalidEscape, position: start)
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return value
    }

    /// Checks one scalar of two to four bytes against the table of RFC 3629 §4 and steps over it.
    private mutating func skipMultibyteScalar() throws(JSONSyntaxError) {
        let count: Int
        let second: ClosedRange<UInt8>
        switch bytes[offset] {
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: throw failure(.invalidUTF8)
        }
        guard offset + count <= bytes.count, second.contains(bytes[offset + 1]),
            bytes[(offset + 2)..<(offset + count)].allSatisfy({ (0x80...0xBF).contains($0) })
        else { throw failure(.invalidUTF8) }
        offset += count
        continuationBytes += count - 1
    }
}

// MARK: - Bytes

extension JSONReader {
    private var position: Position {
        Position(line: line, column: offset - lineStart - continuationBytes + 1)
    }

    private func failure(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
        JSONSyntaxError(reason: reason, position: position)
    }

    private func current() throws(JSONSyntaxError) -> UInt8 {
        guard offset < bytes.count else { throw failure(.unexpectedEnd) }
        return bytes[offset]
    }

    private mutating func advance() { offset += 1 }

    /// Steps over `byte` if it stands here.
    private mutating func accepted(_ byte: UInt8) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        advance()
        return true
    }

    /// The same, where the text must go on.
    private mutating func accept(_ byte: UInt8) throws(JSONSyntaxError) -> Bool {
        _ = try current()
        return accepted(byte)
    }

    private mutating func skipWhitespace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
            case UInt8(ascii: "\n"):
                offset += 1
                line += 1
                lineStart = offset
                continuationBytes = 0
            default: return
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
