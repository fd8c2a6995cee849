internal import JSON

/// The schema of `config/bridges/*.json`.
enum DescriptorSchema {
    static var value: JSONValue {
        let properties: [(name: String, value: JSONValue)] = [
            ("$schema", ["type": "string"]),
            ("title", Schemas.text(description: "The bridge's name for people.")),
            (
                "page",
                Schemas.text(matching: pagePattern, description: "The file in public/ that is the bridge's page.")
            ),
            ("settings", named(setting, matching: Identifier.pattern, description: "What a tenant can set.")),
            ("policy", policy),
            ("permissions", permissions),
            ("native", native),
            ("identity", identity),
        ]
        guard case .object(let members) = Schemas.object(properties, required: ["title"]) else { return .null }
        return .object(
            members + [
                ("$schema", .string(Schemas.dialect)),
                ("title", "A bridge of bridgehost"),
                ("dependentRequired", ["page": ["native"]]),
            ]
        )
    }

    private static let pagePattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]*\\.html$"

    private static func named(_ value: JSONValue, matching pattern: String, description: String) -> JSONValue {
        [
            "type": "object",
            "propertyNames": ["pattern": .string(pattern)],
            "additionalProperties": value,
            "description": .string(description),
        ]
    }

    // MARK: Settings

    private static var setting: JSONValue {
        let warning = Schemas.object(
            [("value", true), ("message", Schemas.text(description: "What the value really does."))],
            required: ["value", "message"]
        )
        return Schemas.object(
            [
                ("type", Schemas.oneOf(Setting.Kind.allCases.map(\.rawValue))),
                ("required", Schemas.boolean(default: false, description: "A tenant must give it.")),
                ("native", Schemas.boolean(default: false, description: "The app may give another value at start.")),
                ("description", Schemas.text(description: "What it is for.")),
                (
                    "pattern",
                    Schemas.text(matching: "^\\^.*\\$$", description: "What text or a URL must match, from ^ to $.")
                ),
                ("minimum", Schemas.integer(in: Setting.exactIntegers)),
                ("maximum", Schemas.integer(in: Setting.exactIntegers)),
                (
                    "known",
                    ["type": "array", "description": "Values that are documented; others are used with a warning."]
                ),
                ("default", ["description": "The value where a tenant gives none."]),
                ("warn", Schemas.array(of: warning, description: "Legal values that do not do what people think.")),
            ],
            required: ["type"]
        )
    }

    // MARK: Policies

    private static var policy: JSONValue {
        let when = Schemas.object(
            [
                ("when", ["type": "object", "additionalProperties": ["type": "array"]]),
                ("sources", Schemas.array(of: Schemas.text())),
            ],
            required: ["when", "sources"]
        )
        let rule: JSONValue = ["anyOf": [Schemas.text(), when, ofSetting]]
        return Schemas.object(
            Directive.ofDescriptors.map { (name: $0.rawValue, value: Schemas.array(of: rule)) },
            description: "What the page may load, beside its own inline scripts."
        )
    }

    private static var ofSetting: JSONValue {
        Schemas.object(
            [("setting", Schemas.text(description: "A URL setting, for its origin."))],
            required: ["setting"]
        )
    }

    private static var permissions: JSONValue {
        let origin: JSONValue = ["anyOf": [Schemas.text(matching: WebURL.pattern), ofSetting]]
        let permission = Schemas.object(
            [
                ("setting", Schemas.text(description: "The boolean setting that switches it; always on without.")),
                ("origins", Schemas.array(of: origin, description: "Frames that it is passed on to.")),
            ]
        )
        return Schemas.object(
            PermissionsPolicy.features.map { (name: $0, value: permission) },
            description: "Browser features that the page may ask for."
        )
    }

    // MARK: App and identity

    private static var native: JSONValue {
        let name = Schemas.text(matching: Identifier.pattern)
        return Schemas.object(
            [
                ("handler", name),
                ("android", Schemas.object([("object", name), ("method", name)], required: ["object", "method"])),
                ("flutter", name),
                ("body", Schemas.oneOf(NativeReader.bodies)),
            ],
            required: ["handler", "body"],
            description: "How the page reaches the app."
        )
    }

    private static var identity: JSONValue {
        let name = Schemas.text(matching: Identifier.pattern)
        return Schemas.object(
            [
                ("algorithm", Schemas.oneOf(IdentityRule.Algorithm.allCases.map(\.rawValue))),
                ("request", name),
                ("answers", Schemas.object([("id", name), ("hash", name)], required: ["id", "hash"])),
            ],
            required: ["algorithm", "request", "answers"],
            description: "How a visitor's identity is signed."
        )
    }
}
