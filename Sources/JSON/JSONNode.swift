/// A JSON value as it was read, with the place where it stands.
public struct JSONNode: Sendable {
    /// What stands there.
    public indirect enum Content: Sendable {
        /// `null`.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// A number, as written.
        case number(String)
        /// A string, decoded.
        case string(String)
        /// An array.
        case array([JSONNode])
        /// An object, with its members in the order of the file; a repeated name stands there as often as it was written.
        case object([JSONMember])
    }

    /// What stands there.
    public let content: Content
    /// Where it begins.
    public let position: Position

    /// A value at a place.
    public init(content: Content, position: Position) {
        self.content = content
        self.position = position
    }

    /// The same value, to be written.
    public var value: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): .number(text)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members): .object(members.map { (name: $0.name, value: $0.node.value) })
        }
    }

    /// The member of that name, compared by bytes; the first one if it is repeated.
    public func member(_ name: String) -> JSONNode? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.node
    }

    /// The value as an integer: digits alone, so `1.0` and `1e3` are none, and within `Int`.
    public var integer: Int? {
        guard case .number(let text) = content else { return nil }
        guard text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// What it is, in the words of RFC 8259, for messages.
    public var kind: String {
        switch content {
        case .null: "null"
        case .bool(let value): "the boolean \(value)"
        case .number(let text): "the number \(Self.abbreviate(text))"
        case .string(let text): "the string \(JSONValue.string(Self.abbreviate(text)).text)"
        case .array: "an array"
        case .object: "an object"
        }
    }

    private static func abbreviate(_ text: String) -> String {
        text.unicodeScalars.count <= 60 ? text : String(text.unicodeScalars.prefix(57)) + "…"
    }
}

/// A member of an object as it was read.
public struct JSONMember: Sendable {
    /// The name, decoded.
    public let name: String
    /// Where the name begins.
    public let position: Position
    /// The value.
    public let node: JSONNode

    /// A member from its parts.
    public init(name: String, position: Position, node: JSONNode) {
        self.name = name
        self.position = position
        self.node = node
    }
}

/// A whole JSON text as it was read.
public struct JSONDocument: Sendable {
    /// A name that an object has more than once.
    public struct Duplicate: Sendable {
        /// The path of the repeated member.
        public let path: JSONPath
        /// Where it stands again.
        public let position: Position
        /// Where it stood first.
        public let first: Position
    }

    /// The value.
    public let root: JSONNode
    /// Every repeated name: RFC 8259 §4 leaves its meaning open, so we never pick one.
    public let duplicates: [Duplicate]
}
