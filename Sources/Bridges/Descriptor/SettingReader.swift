internal import JSON

/// Reads what a descriptor says of one setting.
struct SettingReader {
    let patterns: PatternCache

    func read(_ value: Located, name: String) -> Setting? {
        guard var reader = value.object else { return nil }
        let kind = reader.value("type", required: true).flatMap(readKind)
        let isRequired = reader.value("required")?.bool ?? false
        let isNative = reader.value("native")?.bool ?? false
        let summary = reader.value("description")?.string
        let pattern = reader.value("pattern").flatMap { readPattern($0, kind: kind) }
        let range = readRange(&reader, kind: kind)
        let known = reader.value("known")?.elements ?? []
        let fallback = reader.value("default")
        let warn = reader.value("warn")?.elements ?? []
        reader.finish()
        guard let kind else { return nil }
        if isRequired, let fallback { fallback.problems.report(.requiredWithDefault(fallback)) }
        let bare = Setting(
            name: name,
            kind: kind,
            isRequired: isRequired,
            pattern: pattern,
            range: range,
            known: [],
            defaultValue: nil,
            isNative: isNative,
            summary: summary,
            warnings: []
        )
        return complete(bare, known: known, fallback: fallback, warn: warn)
    }

    /// Adds the values that must themselves be values of the setting.
    private func complete(_ bare: Setting, known: [Located], fallback: Located?, warn: [Located]) -> Setting {
        let values = SettingsReader(patterns: patterns)
        return Setting(
            name: bare.name,
            kind: bare.kind,
            isRequired: bare.isRequired,
            pattern: bare.pattern,
            range: bare.range,
            known: known.compactMap { values.read($0, as: bare) },
            defaultValue: fallback.flatMap { values.read($0, as: bare) },
            isNative: bare.isNative,
            summary: bare.summary,
            warnings: warn.compactMap { readWarning($0, setting: bare, values: values) }
        )
    }

    private func readWarning(_ entry: Located, setting: Setting, values: SettingsReader) -> Setting.Warning? {
        guard var reader = entry.object else { return nil }
        let value = reader.value("value", required: true).flatMap { values.read($0, as: setting) }
        let message = reader.value("message", required: true)?.string
        reader.finish()
        guard let value, let message else { return nil }
        return Setting.Warning(value: value, message: message)
    }

    private func readKind(_ value: Located) -> Setting.Kind? {
        guard let text = value.string else { return nil }
        guard let kind = Setting.Kind.allCases.first(where: { $0.rawValue.isSame(as: text) }) else {
            value.problems.report(.notOneOf(value, text: text, choices: Setting.Kind.allCases.map(\.rawValue)))
            return nil
        }
        return kind
    }

    private func readPattern(_ value: Located, kind: Setting.Kind?) -> String? {
        guard let text = value.string else { return nil }
        guard kind == nil || kind == .string || kind == .url else {
            value.problems.report(.uselessKey(value, key: "pattern", types: "string and url"))
            return nil
        }
        guard patterns.isUsable(text) else {
            value.problems.report(.unusablePattern(value))
            return nil
        }
        return text
    }

    private func readRange(_ reader: inout ObjectReader, kind: Setting.Kind?) -> ClosedRange<Int> {
        let minimum = reader.value("minimum")
        let maximum = reader.value("maximum")
        guard kind == nil || kind == .integer else {
            for (key, value) in [("minimum", minimum), ("maximum", maximum)] {
                guard let value else { continue }
                value.problems.report(.uselessKey(value, key: key, types: "integer"))
            }
            return Setting.exactIntegers
        }
        let low = minimum?.integer(in: Setting.exactIntegers) ?? Setting.exactIntegers.lowerBound
        let high = maximum?.integer(in: Setting.exactIntegers) ?? Setting.exactIntegers.upperBound
        guard low <= high else {
            if let value = maximum ?? minimum { value.problems.report(.emptyRange(value, minimum: low)) }
            return Setting.exactIntegers
        }
        return low...high
    }
}
