/// A key that can sign and can't be shown: no text, dump or mirror of it, or of what holds it, has its bytes.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let key: [UInt8]

    /// A secret of these bytes.
    public init(_ key: [UInt8]) {
        self.key = key
    }

    /// The HMAC-SHA256 of a message under this key.
    public func hmacSHA256(of message: [UInt8]) -> [UInt8] { HMAC.sha256(message, key: key) }

    /// A word in the secret's place.
    public var description: String { "(secret)" }
    /// The same.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
