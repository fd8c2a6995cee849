internal import JSON

/// Reads a vendor's file.
struct DescriptorReader {
    let patterns: PatternCache

    /// The descriptor as far as it can be read; whether it may be used is told by the collector.
    func read(_ root: Located, name: String) -> BridgeDescriptor? {
        guard var reader = root.object else { return nil }
        _ = reader.value("$schema")?.string
        let title = reader.value("title", required: true)?.string
        let page = reader.value("page").flatMap(readPage)
        let settings = reader.value("settings").map(readSettings) ?? []
        let rules = RuleReader(settings: settings, settingReader: SettingsReader(patterns: patterns))
        let sources = reader.value("policy").map(rules.readSources) ?? [:]
        let permissions = reader.value("permissions").map(rules.readPermissions) ?? []
        let native = reader.value("native", required: page != nil).flatMap(NativeReader.read)
        let identity = reader.value("identity").flatMap(readIdentity)
        reader.finish()
        return BridgeDescriptor(
            name: name,
            title: title ?? name,
            page: page,
            settings: settings,
            native: native,
            identity: identity,
            sources: sources,
            permissions: permissions
        )
    }

    private func readPage(_ value: Located) -> String? {
        guard let text = value.string else { return nil }
        guard FileName.isPlain(text, ending: ".html") else {
            value.problems.report(.notAPageName(value))
            return nil
        }
        return text
    }

    private func readSettings(_ value: Located) -> [Setting] {
        let reader = SettingReader(patterns: patterns)
        return (value.entries ?? []).compactMap { name, entry in
            guard Identifier.isValid(name) else {
                entry.problems.report(.notAnIdentifier(name, at: entry.place))
                return nil
            }
            return reader.read(entry, name: name)
        }
        .sorted { $0.name.precedes($1.name) }
    }

    private func readIdentity(_ value: Located) -> IdentityRule? {
        guard var reader = value.object else { return nil }
        let algorithm = reader.value("algorithm", required: true).flatMap(readAlgorithm)
        let request = reader.value("request", required: true).flatMap(NativeReader.readIdentifier)
        var idField: String?
        var hashField: String?
        if var answers = reader.value("answers", required: true)?.object {
            idField = answers.value("id", required: true).flatMap(NativeReader.readIdentifier)
            hashField = answers.value("hash", required: true).flatMap(NativeReader.readIdentifier)
            answers.finish()
        }
        reader.finish()
        guard let algorithm, let request, let idField, let hashField else { return nil }
        return IdentityRule(algorithm: algorithm, requestField: request, idField: idField, hashField: hashField)
    }

    private func readAlgorithm(_ value: Located) -> IdentityRule.Algorithm? {
        guard let text = value.string else { return nil }
        let known = IdentityRule.Algorithm.allCases
        guard let algorithm = known.first(where: { $0.rawValue.isSame(as: text) }) else {
            value.problems.report(.notOneOf(value, text: text, choices: known.map(\.rawValue)))
            return nil
        }
        return algorithm
    }
}
