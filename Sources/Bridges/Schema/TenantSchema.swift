internal import JSON

/// The schema of `config/tenants/*.json`.
struct TenantSchema {
    let descriptors: [BridgeDescriptor]

    var value: JSONValue {
        let bridges = descriptors.map { (name: $0.name, value: entry($0)) }
        let properties: [(name: String, value: JSONValue)] = [
            ("$schema", ["type": "string"]),
            (
                "hosts",
                Schemas.array(
                    of: Schemas.text(matching: HostName.pattern),
                    description: "Host names that serve this tenant alone; its URLs have the first one."
                )
            ),
            ("bridges", Schemas.object(bridges, description: "The bridges that this tenant has.")),
            ("access", access),
        ]
        guard case .object(let members) = Schemas.object(properties, required: ["bridges"]) else { return .null }
        return .object(
            members + [
                ("$schema", .string(Schemas.dialect)),
                ("title", "A tenant of bridgehost"),
                ("$defs", .object([("color", Self.color)])),
            ]
        )
    }

    // MARK: Bridges

    private func entry(_ descriptor: BridgeDescriptor) -> JSONValue {
        let settings = Schemas.object(
            descriptor.settings.map { (name: $0.name, value: Self.schema(of: $0)) },
            required: descriptor.settings.filter(\.isRequired).map(\.name)
        )
        var properties: [(name: String, value: JSONValue)] = [
            ("settings", settings),
            ("policy", policy("Sources that the page may use beside the vendor's.")),
            (
                "reportOnly",
                policy(
                    "Sources to try: of the directives named here they take the place of policy's; violations are reported, nothing is blocked."
                )
            ),
            ("enabled", Schemas.boolean(default: true, description: "Whether the bridge may be used.")),
            ("notice", Schemas.text(description: "What the page shows while it is disabled.")),
            (
                "autoStart",
                Schemas.boolean(default: false, description: "The page starts the chat without a call of the app.")
            ),
            (
                "reportViolations",
                Schemas.boolean(
                    default: false,
                    description: "The page tells the app by a warning what its policy blocked."
                )
            ),
            (
                "startTimeoutSeconds",
                Schemas.integer(
                    in: TenantBridgeDraft.startTimeouts,
                    description: "How long a start may take; 30 unless given."
                )
            ),
        ]
        if descriptor.identity != nil { properties.append(("identity", Self.identity)) }
        return Schemas.object(
            properties,
            required: descriptor.needsSettings ? ["settings"] : [],
            description: descriptor.title
        )
    }

    private func policy(_ description: String) -> JSONValue {
        Schemas.object(
            Directive.ofTenants.map { directive in
                let source = Schemas.text(matching: PolicySource.tenantPattern(in: directive))
                return (name: directive.rawValue, value: Schemas.array(of: source))
            },
            description: description
        )
    }

    private static var identity: JSONValue {
        let secret = Schemas.object(
            [
                ("kid", Schemas.text(matching: IdentityReader.kidPattern, description: "The key's name.")),
                (
                    "file",
                    Schemas.text(
                        matching: FileName.containedPattern,
                        description: "The file that holds the key, in secretsDirectory."
                    )
                ),
            ],
            required: ["kid", "file"]
        )
        guard case .object(let list) = Schemas.array(of: secret, description: "The first one signs.") else {
            return .null
        }
        return Schemas.object(
            [("secrets", .object(list + [("minItems", 1)]))],
            required: ["secrets"],
            description: "The keys that sign visitors' identities."
        )
    }

    private var access: JSONValue {
        Schemas.object(
            [
                (
                    "tokens",
                    Schemas.array(
                        of: Schemas.text(matching: AccessReader.tokenPattern),
                        description: "Digests of the bearer tokens that may use the API."
                    )
                ),
                (
                    "origins",
                    Schemas.array(
                        of: Schemas.text(matching: WebOrigin.pattern),
                        description: "Origins whose pages may read the API."
                    )
                ),
            ],
            description: "Who may use this tenant's API."
        )
    }

    // MARK: Settings

    private static func schema(of setting: Setting) -> JSONValue {
        var members = typeMembers(of: setting)
        if let summary = setting.summary { members.append(("description", .string(summary))) }
        if let fallback = setting.defaultValue { members.append(("default", fallback)) }
        if !setting.known.isEmpty { members.append(("examples", .array(setting.known))) }
        return .object(members)
    }

    private static func typeMembers(of setting: Setting) -> [(name: String, value: JSONValue)] {
        switch setting.kind {
        case .boolean:
            return [("type", "boolean")]
        case .integer:
            return [
                ("type", "integer"),
                ("minimum", .integer(setting.range.lowerBound)),
                ("maximum", .integer(setting.range.upperBound)),
            ]
        case .color:
            return [("$ref", "#/$defs/color")]
        case .string:
            guard let pattern = setting.pattern else { return [("type", "string")] }
            return [("type", "string"), ("pattern", .string(grouped(pattern)))]
        case .url:
            let form: JSONValue = ["pattern": .string(WebURL.pattern)]
            guard let pattern = setting.pattern else { return [("type", "string"), ("allOf", [form])] }
            return [("type", "string"), ("allOf", [form, ["pattern": .string(grouped(pattern))]])]
        }
    }

    /// The readers match the whole text, so an alternative at the pattern's top must not escape its anchors.
    private static func grouped(_ pattern: String) -> String {
        guard pattern.utf8.contains(UInt8(ascii: "|")) else { return pattern }
        return "^(?:" + pattern.dropFirst().dropLast() + ")$"
    }

    private static let color: JSONValue = [
        "type": "string",
        "anyOf": [["pattern": .string(Color.pattern)], ["enum": .array(Color.names.map(JSONValue.string))]],
    ]
}
