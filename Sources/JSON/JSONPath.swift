/// The way from a document's root to one of its values, as `$.bridges["some-name"].settings`.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
    /// The path as text (RFC 9535, normalised only where a name is no identifier).
    public let description: String

    /// The document's root.
    public static let root = JSONPath(description: "$")

    private init(description: String) {
        self.description = description
    }

    /// The path of the member `name`.
    public func member(_ name: String) -> JSONPath {
        guard Self.isIdentifier(name) else {
            return JSONPath(description: description + "[" + JSONValue.string(name).text + "]")
        }
        return JSONPath(description: description + "." + name)
    }

    /// The path of the array's element `index`.
    public func element(_ index: Int) -> JSONPath {
        JSONPath(description: "\(description)[\(index)]")
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
            default: false
            }
        }
    }
}
