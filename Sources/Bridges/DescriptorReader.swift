internal import JSON

/// Reads a descriptor; every problem goes to the collector.
struct DescriptorReader {
    let patterns: PatternCache

    func read(_ root: Located, name: String) -> BridgeDescriptor? {
        guard var reader = root.object else { return nil }
        _ = reader.value("$schema")?.string
        let title = reader.value("title", required: true)?.string
        let page = reader.value("page").flatMap(readPageName)
        let settings = reader.value("settings", required: true).map(readSettings) ?? []
        let policy = reader.value("policy").map { readPolicy($0, settings) } ?? []
        let permissions = reader.value("permissions").map { readPermissions($0, settings) } ?? []
        let native = reader.value("native").flatMap(readNative) ?? .object([])
        let identity = reader.value("identity").flatMap(readIdentity)
        reader.finish()
        guard let title else { return nil }
        return BridgeDescriptor(
            name: name,
            title: title,
            page: page,
            identity: identity,
            settings: settings,
            policy: policy,
            permissions: permissions,
            native: native
        )
    }

    private func readPageName(_ value: Located) -> String? {
        guard let text = value.string else { return nil }
        guard patterns.matches(text, "[a-z0-9][a-z0-9_-]{0,62}\\.html") else {
            return value.expected("the name of a file in the public folder, as my-chat.html")
        }
        return text
    }

    // MARK: Settings

    private func readSettings(_ value: Located) -> [SettingDefinition] {
        (value.entries ?? []).compactMap { name, entry in
            guard patterns.matches(name, "[a-zA-Z][a-zA-Z0-9]{0,62}") else {
                return entry.expected("a setting whose name is letters and digits")
            }
            return readSetting(name, entry)
        }.sorted { $0.name < $1.name }
    }

    private func readSetting(_ name: String, _ value: Located) -> SettingDefinition? {
        guard var reader = value.object else { return nil }
        let kind = reader.value("type", required: true).flatMap(readKind)
        let minimum = reader.value("minimum")?.integer(in: -1_000_000_000...1_000_000_000)
        let maximum = reader.value("maximum")?.integer(in: (minimum ?? -1_000_000_000)...1_000_000_000)
        let defaultValue = reader.value("default")
        var definition: SettingDefinition?
        if let kind {
            definition = SettingDefinition(
                name: name,
                kind: kind,
                description: reader.value("description")?.string,
                isRequired: reader.value("required")?.bool ?? false,
                pattern: reader.value("pattern").flatMap(readPattern),
                range: minimum == nil && maximum == nil ? nil : (minimum ?? .min)...(maximum ?? .max),
                known: reader.value("known")?.elements?.compactMap(\.string) ?? [],
                defaultValue: defaultValue?.node.value,
                isNative: reader.value("native")?.bool ?? false,
                cautions: reader.value("warn")?.elements?.compactMap(readCaution) ?? []
            )
        }
        reader.finish()
        if let definition, let defaultValue { _ = SettingReader(patterns: patterns).read(defaultValue, definition) }
        return definition
    }

    private func readKind(_ value: Located) -> SettingDefinition.Kind? {
        guard let text = value.string else { return nil }
        let kinds = SettingDefinition.Kind.allCases.map(\.rawValue)
        return SettingDefinition.Kind(rawValue: text) ?? value.expected("one of: \(kinds.joined(separator: ", "))")
    }

    private func readPattern(_ value: Located) -> String? {
        guard let text = value.string else { return nil }
        return Pattern(text) != nil ? text : value.expected("a regular expression")
    }

    private func readCaution(_ value: Located) -> SettingDefinition.Caution? {
        guard var reader = value.object else { return nil }
        let trigger = reader.value("value", required: true)
        let message = reader.value("message", required: true)?.string
        reader.finish()
        guard let trigger, let message else { return nil }
        return SettingDefinition.Caution(value: trigger.node.value, message: message)
    }

    // MARK: Policy

    private func readPolicy(
        _ value: Located,
        _ settings: [SettingDefinition]
    ) -> [(directive: String, sources: [BridgeDescriptor.Source])] {
        let allowed = PolicySource.directives(.descriptor)
        return (value.entries ?? []).compactMap { directive, entry in
            guard allowed.contains(directive) else {
                return entry.unknownName(directive, among: allowed, what: "directive")
            }
            let sources = (entry.elements ?? []).compactMap { readSource($0, directive, settings) }
            return (directive, sources)
        }
    }

    private func readSource(
        _ value: Located,
        _ directive: String,
        _ settings: [SettingDefinition]
    ) -> BridgeDescriptor.Source? {
        if case .string = value.node.content { return readText(value, directive).map(BridgeDescriptor.Source.fixed) }
        guard var reader = value.object else { return nil }
        defer { reader.finish() }
        if let name = reader.value("setting") {
            return settingName(name, settings, kinds: [.url]).map(BridgeDescriptor.Source.setting)
        }
        let condition = reader.value("when", required: true)?.entries?.first
        let sources = reader.value("sources", required: true)?.elements?.compactMap { readText($0, directive) }
        guard let condition, let sources, let values = condition.value.elements?.compactMap(\.string) else {
            return nil
        }
        guard settings.contains(where: { $0.name == condition.name && $0.kind == .string }) else {
            return condition.value.unknownName(condition.name, among: settings.map(\.name), what: "string setting")
        }
        return .when(setting: condition.name, values: values, sources: sources)
    }

    private func readText(_ value: Located, _ directive: String) -> String? {
        guard let text = value.string else { return nil }
        guard PolicySource.isAllowed(text, .descriptor, directive) else {
            return value.expected(PolicySource.expectation(.descriptor, directive))
        }
        return text
    }

    private func settingName(
        _ value: Located,
        _ settings: [SettingDefinition],
        kinds: [SettingDefinition.Kind]
    ) -> String? {
        guard let name = value.string else { return nil }
        let fitting = settings.filter { kinds.contains($0.kind) }.map(\.name)
        let what = "setting of type \(kinds.map(\.rawValue).joined(separator: " or "))"
        return fitting.contains(name) ? name : value.unknownName(name, among: fitting, what: what)
    }

    // MARK: Permissions, native, identity

    private func readPermissions(
        _ value: Located,
        _ settings: [SettingDefinition]
    ) -> [BridgeDescriptor.Permission] {
        (value.entries ?? []).compactMap { feature, entry in
            guard PermissionsPolicy.features.contains(feature) else {
                return entry.unknownName(feature, among: PermissionsPolicy.features, what: "feature")
            }
            guard var reader = entry.object else { return nil }
            let setting = reader.value("setting").flatMap { settingName($0, settings, kinds: [.boolean]) }
            let origins = reader.value("origins")?.elements?.compactMap { readText($0, "frame-src") } ?? []
            reader.finish()
            return BridgeDescriptor.Permission(feature: feature, setting: setting, origins: origins)
        }
    }

    private func readNative(_ value: Located) -> JSONValue? {
        guard var reader = value.object else { return nil }
        let names = [reader.value("handler", required: true), reader.value("flutter")]
        for name in names.compactMap(\.self) { checkIdentifier(name) }
        if let android = reader.value("android"), var object = android.object {
            for name in [object.value("object", required: true), object.value("method", required: true)] {
                if let name { checkIdentifier(name) }
            }
            object.finish()
        }
        if let body = reader.value("body", required: true), let text = body.string, text != "event", text != "text" {
            body.expected("\"event\" for {type, payload, timestamp}, or \"text\" for a plain string") as Void?
        }
        reader.finish()
        return value.node.value
    }

    private func checkIdentifier(_ value: Located) {
        guard let text = value.string, !patterns.matches(text, "[A-Za-z_$][A-Za-z0-9_$]{0,62}") else { return }
        value.expected("a JavaScript identifier") as Void?
    }

    private func readIdentity(_ value: Located) -> BridgeDescriptor.Identity? {
        guard var reader = value.object else { return nil }
        let algorithm = reader.value("algorithm", required: true)
        let requestField = reader.value("request", required: true)?.string
        var answers = reader.value("answers", required: true)?.object
        let idField = answers?.value("id", required: true)?.string
        let hashField = answers?.value("hash", required: true)?.string
        answers?.finish()
        reader.finish()
        guard let algorithm, let name = algorithm.string else { return nil }
        guard name == "hmac-sha256-hex" else { return algorithm.expected("\"hmac-sha256-hex\"") }
        guard let requestField, let idField, let hashField else { return nil }
        return BridgeDescriptor.Identity(
            algorithm: name,
            requestField: requestField,
            idField: idField,
            hashField: hashField
        )
    }
}
