public import JSON

// The schemas of what the API answers, made from the descriptor that the answers are made from.
extension BridgeDescriptor {
    /// The schema (JSON Schema 2020-12) of ``TenantBridge/restValue(tenant:)``.
    public var restSchema: JSONValue {
        var properties: [(name: String, value: JSONValue)] = [
            ("tenant", Schemas.text(matching: Name.pattern, description: "Whose config it is.")),
            ("bridge", ["const": .string(name)]),
            ("enabled", Schemas.boolean(description: "Whether the bridge may be used now.")),
            ("revision", Schemas.text(matching: "^[0-9a-f]{16}$", description: "Another one after every change.")),
            ("config", configSchema),
        ]
        if page != nil {
            properties.append(("pageURL", Schemas.text(description: "The page; absent if nobody said at which host.")))
        }
        return Schemas.object(
            properties,
            required: ["tenant", "bridge", "enabled", "revision", "config"],
            description: title
        )
    }

    /// The settings that a tenant gave, over the defaults; what neither gives is absent, which is not `false`.
    private var configSchema: JSONValue {
        Schemas.object(
            settings.map { (name: $0.name, value: TenantSchema.schema(of: $0, color: TenantSchema.color)) },
            required: settings.filter { $0.isRequired || $0.defaultValue != nil }.map(\.name)
        )
    }
}

extension IdentityRule {
    /// The schema of a request for an identity whose id has at most so many bytes.
    public func requestSchema(idLimit: Int) -> JSONValue {
        Schemas.object([(requestField, Self.idSchema(limit: idLimit))], required: [requestField])
    }

    /// The schema of the answer.
    public func answerSchema(idLimit: Int) -> JSONValue {
        let hash =
            switch algorithm {
            case .hmacSHA256Hexadecimal:
                Schemas.text(matching: "^[0-9a-f]{64}$", description: "HMAC-SHA256 of the id's bytes of UTF-8.")
            }
        return Schemas.object(
            [(idField, Self.idSchema(limit: idLimit)), (hashField, hash)],
            required: [idField, hashField]
        )
    }

    /// A schema counts characters, of which each takes up to four bytes; the description says what it can't.
    private static func idSchema(limit: Int) -> JSONValue {
        [
            "type": "string", "minLength": 1, "maxLength": .integer(limit),
            "description": .string("The id, taken as it is: 1 to \(limit) bytes of UTF-8."),
        ]
    }
}

extension SigningKey {
    /// What a key's name looks like, as an anchored pattern.
    public static let kidPattern = IdentityReader.kidPattern
}

extension Tenant {
    /// What a tenant's name looks like, as an anchored pattern.
    public static let namePattern = Name.pattern

    /// Whether a tenant could have that name.
    public static func isName(_ text: String) -> Bool { Name.isValid(text) }
}
