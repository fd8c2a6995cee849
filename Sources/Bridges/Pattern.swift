/// A regular expression as descriptors use it: whole strings, scalar by scalar, in the part that ECMA-262 shares.
struct Pattern {
    private let regex: Regex<AnyRegexOutput>

    /// Nil for what is no regular expression.
    init?(_ text: String) {
        guard let regex = try? Regex(text) else { return nil }
        self.regex = regex.matchingSemantics(.unicodeScalar)
    }

    func matches(_ text: String) -> Bool {
        (try? regex.wholeMatch(in: text)) != nil
    }
}

/// Compiles each pattern of a load once.
final class PatternCache {
    private var patterns: [String: Pattern] = [:]

    func matches(_ text: String, _ pattern: String) -> Bool {
        if let known = patterns[pattern] { return known.matches(text) }
        guard let compiled = Pattern(pattern) else { return false }
        patterns[pattern] = compiled
        return compiled.matches(text)
    }
}
