internal import JSON

/// Reads what a descriptor lets its page load and ask for.
struct RuleReader {
    let settings: [Setting]
    let settingReader: SettingsReader

    // MARK: Policy

    func readSources(_ value: Located) -> [Directive: [SourceRule]] {
        guard var reader = value.object else { return [:] }
        var result: [Directive: [SourceRule]] = [:]
        for directive in Directive.ofDescriptors {
            guard let list = reader.value(directive.rawValue) else { continue }
            result[directive] = (list.elements ?? []).compactMap { readRule($0, in: directive) }
        }
        reader.finish()
        return result
    }

    private func readRule(_ value: Located, in directive: Directive) -> SourceRule? {
        switch value.node.content {
        case .string:
            return SourcesReader.readSource(value, in: directive, by: .descriptor).map(SourceRule.source)
        case .object where value.node.member("when") != nil:
            return readWhen(value, in: directive)
        case .object:
            return readSettingRule(value)
        default:
            value.problems.report(.notASourceRule(value))
            return nil
        }
    }

    private func readWhen(_ value: Located, in directive: Directive) -> SourceRule? {
        guard var reader = value.object else { return nil }
        let entries = reader.value("when", required: true)?.entries ?? []
        let sources = reader.value("sources", required: true)?.elements ?? []
        reader.finish()
        return .when(
            entries.compactMap { readCondition($0.name, $0.value) },
            sources: sources.compactMap { SourcesReader.readSource($0, in: directive, by: .descriptor) }
        )
    }

    private func readCondition(_ name: String, _ value: Located) -> SourceRule.Condition? {
        guard let setting = setting(name, at: value) else { return nil }
        let values = (value.elements ?? []).compactMap { settingReader.read($0, as: setting) }
        return SourceRule.Condition(setting: name, values: values)
    }

    private func readSettingRule(_ value: Located) -> SourceRule? {
        guard var reader = value.object else { return nil }
        let name = reader.value("setting", required: true)
        reader.finish()
        guard let name, let text = name.string, let setting = setting(text, at: name) else { return nil }
        guard setting.kind == .url else {
            name.problems.report(.settingOfWrongType(name, wanted: .url, found: setting.kind))
            return nil
        }
        // The policy is fixed when the page is made, and what it lets run must be the tenant's choice alone.
        guard !setting.isNative else {
            name.problems.report(.nativeSource(name))
            return nil
        }
        return .setting(text)
    }

    // MARK: Permissions

    func readPermissions(_ value: Located) -> [PermissionRule] {
        (value.entries ?? []).compactMap { feature, entry in
            guard PermissionsPolicy.features.contains(where: { $0.isSame(as: feature) }) else {
                entry.problems.report(.unknownFeature(feature, at: entry.place))
                return nil
            }
            return readPermission(entry, feature: feature)
        }
        .sorted { $0.feature.precedes($1.feature) }
    }

    private func readPermission(_ entry: Located, feature: String) -> PermissionRule? {
        guard var reader = entry.object else { return nil }
        let switchName = reader.value("setting")
        let origins = reader.value("origins")?.elements ?? []
        reader.finish()
        if let switchName, let text = switchName.string, let setting = setting(text, at: switchName),
            setting.kind != .boolean
        {
            switchName.problems.report(.settingOfWrongType(switchName, wanted: .boolean, found: setting.kind))
        }
        return PermissionRule(
            feature: feature,
            setting: switchName.flatMap { $0.node.text },
            origins: origins.compactMap(readOrigin)
        )
    }

    private func readOrigin(_ value: Located) -> SourceRule? {
        if case .object = value.node.content { return readSettingRule(value) }
        guard let text = value.string else { return nil }
        guard WebURL.origin(of: text).map({ $0.isSame(as: text) }) ?? false else {
            value.problems.report(.notAnHTTPSOrigin(value))
            return nil
        }
        return .source(text)
    }

    // MARK: Settings

    private func setting(_ name: String, at value: Located) -> Setting? {
        guard let setting = settings.first(where: { $0.name.isSame(as: name) }) else {
            value.problems.report(.unknownSetting(name, among: settings.map(\.name), at: value.place))
            return nil
        }
        return setting
    }
}

extension JSONNode {
    fileprivate var text: String? {
        guard case .string(let text) = content else { return nil }
        return text
    }
}
