internal import JSON

/// Reads the values of settings and judges them by the descriptor.
struct SettingsReader {
    let patterns: PatternCache

    /// The tenant's settings over the defaults; nil `settings` stands for an entry without any.
    func read(_ settings: Located?, of descriptor: BridgeDescriptor, entry: Located) -> [String: JSONValue] {
        var config: [String: JSONValue] = [:]
        for setting in descriptor.settings { config[setting.name] = setting.defaultValue }
        if var reader = settings?.object {
            for setting in descriptor.settings {
                guard let value = reader.value(setting.name, required: setting.isRequired) else { continue }
                config[setting.name] = read(value, as: setting)
            }
            reader.finish()
        }
        for name in descriptor.openConditionSettings {
            warnOfUnruled(config[name], setting: name, descriptor: descriptor, entry: entry)
        }
        return config
    }

    /// The value, if it is one that the setting can have; all else is reported.
    func read(_ value: Located, as setting: Setting) -> JSONValue? {
        guard isValid(value, as: setting) else { return nil }
        let result = value.node.value
        if !setting.known.isEmpty, !setting.known.contains(result) {
            value.problems.report(.unknownValue(value, of: setting))
        }
        if let warning = setting.warnings.first(where: { $0.value == result }) {
            value.problems.report(.misleadingValue(value, warning: warning))
        }
        return result
    }

    private func isValid(_ value: Located, as setting: Setting) -> Bool {
        switch setting.kind {
        case .boolean: return value.bool != nil
        case .integer: return value.integer(in: setting.range) != nil
        case .string, .url, .color: break
        }
        guard let text = value.string else { return false }
        if setting.kind == .url, WebURL.origin(of: text) == nil {
            value.problems.report(.notAnHTTPSURL(value))
            return false
        }
        if setting.kind == .color, !Color.isValid(text) {
            value.problems.report(.notAColor(value, text: text))
            return false
        }
        guard let pattern = setting.pattern, !patterns.matches(text, pattern) else { return true }
        value.problems.report(.patternMismatch(value, text: text, setting: setting))
        return false
    }

    private func warnOfUnruled(_ value: JSONValue?, setting: String, descriptor: BridgeDescriptor, entry: Located) {
        guard let value else { return }
        let ruled = descriptor.conditionValues(of: setting)
        if ruled.contains(value) { return }
        entry.problems.report(.noRuleForValue(value, setting: setting, ruled: ruled, entry: entry))
    }
}
