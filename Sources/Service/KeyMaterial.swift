internal import JSON

/// Tells a key that was pasted where a file's name belongs from a name: it must not be shown.
enum KeyMaterial {
    /// Keys of 24 bytes or more have so many digits in Base64, names of files rarely without a dot or a slash.
    private static let shortest = 32

    /// Whether a text is likelier a key, in PEM, hexadecimal or Base64, than the name of a file.
    static func isLikely(_ text: String) -> Bool {
        if text.contains("-----BEGIN") || text.utf8.contains(where: { $0 < 0x20 }) { return true }
        // Neither hexadecimal nor Base64 has a dot.
        guard !text.utf8.contains(UInt8(ascii: ".")) else { return false }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"))
        if parts.contains(where: { $0.count >= shortest && $0.allSatisfy(isDigit) }) { return true }
        // Base64 has slashes of its own.
        return text.utf8.count >= 2 * shortest && text.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "/") }
    }

    /// The value, which no problem may show if it is likely a key.
    static func hidden(_ value: Located) -> Located {
        guard case .string(let text) = value.node.content, isLikely(text) else { return value }
        return value.confidential
    }

    /// Whether it is one of Base64, of the alphabet for names of files too, or about one.
    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "="): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"): true
        // Of a list that was pasted as it stood in another file.
        case UInt8(ascii: "\""), UInt8(ascii: ","): true
        default: false
        }
    }
}
