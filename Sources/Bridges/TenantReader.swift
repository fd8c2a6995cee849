internal import Crypto
internal import JSON

/// A tenant's file, checked, before hosts are shared out and pages rendered.
struct TenantDraft {
    struct Bridge {
        let descriptor: BridgeDescriptor
        let enabled: Bool
        let notice: String?
        let autoStart: Bool
        let startTimeoutSeconds: Int
        /// The tenant's own values.
        let settings: [(name: String, value: JSONValue)]
        let policy: [(directive: String, sources: [String])]
        let reportOnly: [(directive: String, sources: [String])]?
        let secrets: [TenantBridge.Secret]
    }

    let name: String
    let file: String
    /// Hosts with their places.
    var hosts: [(name: String, place: Place)]
    let declaredHosts: Int
    let access: Tenant.Access
    let bridges: [Bridge]
}

/// Reads a tenant's file; every problem goes to the collector.
struct TenantReader {
    let descriptors: [BridgeDescriptor]
    let serviceHosts: [String]
    let patterns: PatternCache

    static let namePattern = "[a-z0-9][a-z0-9-]{0,62}"
    static let reservedNames = ["api", "inspect", "reports"]
    static let hostPattern = "(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
    static let tokenPattern = "sha256:[0-9a-f]{64}"
    static let originPattern = "null|[a-z][a-z0-9+.-]*://[a-z0-9.-]+(?::[0-9]{1,5})?"
    static let kidPattern = "[A-Za-z0-9._-]{1,64}"
    static let secretFilePattern = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}"
    static let timeoutRange = 1...600

    func read(_ root: Located, name: String) -> TenantDraft? {
        guard var reader = root.object else { return nil }
        _ = reader.value("$schema")?.string
        let hosts = reader.value("hosts")?.elements?.compactMap(readHost) ?? []
        let bridges = reader.value("bridges", required: true)?.entries ?? []
        let access = reader.value("access").flatMap(readAccess) ?? Tenant.Access(tokens: [], origins: [])
        reader.finish()
        return TenantDraft(
            name: name,
            file: root.place.file,
            hosts: hosts,
            declaredHosts: hosts.count,
            access: access,
            bridges: bridges.compactMap(readBridge).sorted { $0.descriptor.name < $1.descriptor.name }
        )
    }

    private func readHost(_ value: Located) -> (name: String, place: Place)? {
        guard let text = value.string else { return nil }
        guard text.utf8.count <= 253, patterns.matches(text, Self.hostPattern) else {
            return value.expected("a DNS name in lower case, as chat.acme.example; no port, no wildcard")
        }
        guard !serviceHosts.contains(text) else {
            return value.expected("a host of the tenant's own", advice: "\(text) is one of the service's own hosts.")
        }
        return (text, value.place)
    }

    private func readAccess(_ value: Located) -> Tenant.Access? {
        guard var reader = value.object else { return nil }
        let tokens = reader.value("tokens")?.elements?.compactMap(readToken) ?? []
        let origins = reader.value("origins")?.elements?.compactMap { origin in
            text(origin, Self.originPattern, "an origin such as capacitor://localhost or https://app.example, or null")
        }
        reader.finish()
        return Tenant.Access(tokens: tokens, origins: origins ?? [])
    }

    /// A token's digest.
    ///
    /// What stands there may be a token pasted by mistake, so it is never repeated in a message.
    private func readToken(_ value: Located) -> [UInt8]? {
        if case .string(let text) = value.node.content, patterns.matches(text, Self.tokenPattern) {
            return [UInt8](hexadecimal: text.dropFirst("sha256:".count))
        }
        value.problems.report(.malformedToken(at: value))
        return nil
    }

    private func text(_ value: Located, _ pattern: String, _ expectation: String) -> String? {
        guard let text = value.string else { return nil }
        return patterns.matches(text, pattern) ? text : value.expected(expectation)
    }

    // MARK: Bridges

    private func readBridge(_ name: String, _ value: Located) -> TenantDraft.Bridge? {
        guard let descriptor = descriptors.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            return value.unknownName(name, among: descriptors.map(\.name), what: "bridge")
        }
        guard var reader = value.object else { return nil }
        let settings = readSettings(reader.value("settings"), descriptor, bridge: value)
        let bridge = TenantDraft.Bridge(
            descriptor: descriptor,
            enabled: reader.value("enabled")?.bool ?? true,
            notice: reader.value("notice")?.string,
            autoStart: reader.value("autoStart")?.bool ?? false,
            startTimeoutSeconds: reader.value("startTimeoutSeconds")?.integer(in: Self.timeoutRange) ?? 30,
            settings: settings,
            policy: reader.value("policy").map(readPolicy) ?? [],
            reportOnly: reader.value("reportOnly").map(readPolicy),
            secrets: reader.value("identity").map { readIdentity($0, descriptor) } ?? []
        )
        reader.finish()
        return bridge
    }

    private func readSettings(
        _ value: Located?,
        _ descriptor: BridgeDescriptor,
        bridge: Located
    ) -> [(name: String, value: JSONValue)] {
        let required = descriptor.settings.filter(\.isRequired).map(\.name)
        guard let value else {
            if !required.isEmpty { bridge.problems.report(.missingSettings(required, at: bridge.place)) }
            return []
        }
        guard var reader = value.object else { return [] }
        let checker = SettingReader(patterns: patterns)
        let settings: [(name: String, value: JSONValue)] = descriptor.settings.compactMap { definition in
            guard let entry = reader.value(definition.name, required: definition.isRequired),
                let value = checker.read(entry, definition)
            else { return nil }
            return (name: definition.name, value: value)
        }
        reader.finish()
        return settings
    }

    private func readPolicy(_ value: Located) -> [(directive: String, sources: [String])] {
        let allowed = PolicySource.directives(.tenant)
        return (value.entries ?? []).compactMap { directive, entry in
            guard allowed.contains(directive) else {
                return entry.unknownName(directive, among: allowed, what: "directive")
            }
            let sources = (entry.elements ?? []).compactMap { element -> String? in
                guard let text = element.string else { return nil }
                guard PolicySource.isAllowed(text, .tenant, directive) else {
                    return element.expected(PolicySource.expectation(.tenant, directive))
                }
                return text
            }
            return (directive, sources)
        }
    }

    private func readIdentity(_ value: Located, _ descriptor: BridgeDescriptor) -> [TenantBridge.Secret] {
        guard descriptor.identity != nil else {
            return value.expected("no identity: this bridge does not sign user ids") ?? []
        }
        guard var reader = value.object else { return [] }
        let secrets = reader.value("secrets", required: true)?.elements?.compactMap(readSecret) ?? []
        reader.finish()
        return secrets
    }

    private func readSecret(_ value: Located) -> TenantBridge.Secret? {
        guard var reader = value.object else { return nil }
        let kid = reader.value("kid", required: true).flatMap {
            text($0, Self.kidPattern, "a key id of letters, digits, '.', '_' and '-'")
        }
        let file = reader.value("file", required: true).flatMap {
            text($0, Self.secretFilePattern, "the name of a file in the secrets directory")
        }
        reader.finish()
        guard let kid, let file else { return nil }
        return TenantBridge.Secret(kid: kid, file: file)
    }
}
