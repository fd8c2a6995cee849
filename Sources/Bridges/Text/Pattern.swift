/// Anchored patterns of descriptors, in the part of the syntax that Swift, ECMAScript and Python read alike.
///
/// `Regex` is not `Sendable`, so compiled ones live for one load, in here, and descriptors keep the text.
final class PatternCache {
    private var compiled: [String: Regex<AnyRegexOutput>] = [:]

    /// Whether the whole text matches; a pattern that does not compile matches nothing.
    func matches(_ text: String, _ pattern: String) -> Bool {
        guard let regex = regex(pattern) else { return false }
        return (try? regex.wholeMatch(in: text)) != nil
    }

    /// Whether the pattern can be used.
    func isUsable(_ pattern: String) -> Bool {
        pattern.utf8.first == UInt8(ascii: "^") && pattern.utf8.last == UInt8(ascii: "$") && Self.isPortable(pattern)
            && regex(pattern) != nil
    }

    private func regex(_ pattern: String) -> Regex<AnyRegexOutput>? {
        if let known = compiled[pattern] { return known }
        guard let regex = try? Regex(pattern) else { return nil }
        let made = regex.matchingSemantics(.unicodeScalar).asciiOnlyCharacterClasses()
        compiled[pattern] = made
        return made
    }

    /// Printable ASCII without what the three engines read differently: property and POSIX classes, set algebra,
    /// named groups, look-around, possessive quantifiers, and all escapes but the plain ones.
    private static func isPortable(_ pattern: String) -> Bool {
        let bytes = Array(pattern.utf8)
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return false }
        var isInClass = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            switch byte {
            case UInt8(ascii: "\\"):
                guard !next.isDigit, !next.isLetter || plainEscapes.contains(next) else { return false }
                index += 1
            case UInt8(ascii: "["):
                guard !isInClass, next != UInt8(ascii: "]") else { return false }
                isInClass = true
            case UInt8(ascii: "]"):
                isInClass = false
            case UInt8(ascii: "&"), UInt8(ascii: "~"), UInt8(ascii: "-"):
                guard !isInClass || next != byte else { return false }
            case UInt8(ascii: "("):
                guard isInClass || next != UInt8(ascii: "?") || isPlainGroup(bytes[index...]) else { return false }
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "}"):
                guard isInClass || next != UInt8(ascii: "+") else { return false }
            default: break
            }
            index += 1
        }
        return true
    }

    private static func isPlainGroup(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.starts(with: "(?:") }

    private static let plainEscapes = Set("dswnrt".utf8)
}
