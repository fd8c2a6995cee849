internal import JSON

/// Checks values against their definitions.
struct SettingReader {
    let patterns: PatternCache

    /// The value to be used, or nil after reporting what is wrong with it.
    func read(_ located: Located, _ definition: SettingDefinition) -> JSONValue? {
        guard isValid(located.node, definition) else { return located.expected(definition.expectation) }
        let value = located.node.value
        if case .string(let text) = value, !definition.known.isEmpty, !definition.known.contains(text) {
            located.warn(
                expected: "one of the values known: \(definition.known.joined(separator: ", "))",
                advice: "It is used as it is; check the vendor's documentation."
            )
        }
        for caution in definition.cautions where caution.value == value {
            located.warn(expected: "another value", advice: caution.message)
        }
        return value
    }

    private func isValid(_ node: JSONNode, _ definition: SettingDefinition) -> Bool {
        switch (definition.kind, node.content) {
        case (.boolean, .bool): return true
        case (.integer, .number):
            guard let value = node.integer else { return false }
            return definition.range?.contains(value) ?? true
        case (.string, .string(let text)), (.url, .string(let text)), (.color, .string(let text)):
            guard text.unicodeScalars.count <= SettingDefinition.maximumLength else { return false }
            return [definition.kindPattern, definition.pattern].allSatisfy { pattern in
                pattern.map { patterns.matches(text, $0) } ?? true
            }
        default: return false
        }
    }
}
