/// A JSON value that we write.
///
/// Numbers keep their text, so that an integer stays one; objects keep every member, so that names which
/// Swift's `String` calls equal (NFC and NFD) stay two.
public indirect enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number in the text of RFC 8259 §6.
    case number(String)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; the writer sorts its members by the bytes of their names.
    case object([(name: String, value: JSONValue)])

    /// An integer.
    public static func integer(_ value: Int) -> JSONValue { .number(String(value)) }

    /// The value as one line of text, with sorted names and nothing that HTML or JavaScript could misread.
    public var text: String {
        var writer = JSONWriter()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The same as UTF-8.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }

    /// The value as indented text that ends in a line feed, for files that people read.
    public var prettyText: String {
        var writer = JSONWriter(indentation: "  ")
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}

extension JSONValue: Equatable {
    /// Equal when both are written as the same bytes.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)), (.string(let left), .string(let right)):
            left.utf8.elementsEqual(right.utf8)
        case (.array, .array), (.object, .object): left.bytes == right.bytes
        default: false
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { (name: $0.0, value: $0.1) })
    }
}
