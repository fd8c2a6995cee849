internal import JSON

/// What `server.json` may say, as a JSON schema for editors; ``SettingsReader`` is what decides.
enum ServerSchema {
    /// Many times what anybody needs; a worker tells listeners apart by 256 numbers.
    static let mostListeners = 64

    static let value: JSONValue = [
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "bridgehost server.json",
        "type": "object",
        "additionalProperties": false,
        "required": ["listeners"],
        "properties": [
            "$schema": ["type": "string"],
            "listeners": [
                "type": "array",
                "minItems": 1,
                "maxItems": .integer(mostListeners),
                "description": "Where pages and REST are served.",
                "items": listener([
                    (name: "tls", value: tls), (name: "redirect", value: redirect),
                    (name: "proxyProtocol", value: proxyProtocol),
                ]),
            ],
            "admin": listener([]),
            "certificates": [
                "type": "array",
                "description": "PEM files, relative to this one; the first is shown when no other fits.",
                "items": object(["chain": ["type": "string"], "key": ["type": "string"]], required: ["chain", "key"]),
            ],
            "challengeDirectory": [
                "type": "string",
                "description":
                    "Where certbot or its like puts answers to ACME challenges; told at listeners that redirect.",
            ],
            "unknownServerName": [
                "enum": ["default", "refuse"],
                "default": "default",
                "description":
                    "What a TLS client gets that asks for a name of no certificate: the first one, or an alert.",
            ],
            "hosts": [
                "type": "array",
                "description": "The service's own host names; localhost is one always.",
                "items": ["type": "string"],
            ],
            "publicBaseURL": [
                "type": "string",
                "pattern": "^https://[^/]+$",
                "description": "The origin of page URLs for tenants without hosts.",
            ],
            "secretsDirectory": ["type": "string"],
            "ticketKeys": [
                "type": "array",
                "description":
                    "Files of 80 random bytes in secretsDirectory that replicas share: the first seals, all open tickets.",
                "items": ["type": "string"],
            ],
            "watch": [
                "type": "boolean",
                "default": true,
                "description": "Whether files that change are read again without a signal.",
            ],
            "log": LogSettings.schema,
            "trustedProxies": [
                "type": "array",
                "description":
                    "The proxies in front, as addresses or ranges: what they say about whom a request is from counts.",
                "items": ["type": "string", "examples": ["10.0.0.0/24", "2001:db8::/64", "10.0.0.7"]],
            ],
            "forwardedFields": [
                "enum": ["X-Forwarded", "Forwarded"],
                "default": "X-Forwarded",
                "description":
                    "Which fields those proxies write: X-Forwarded-For and X-Forwarded-Proto, or Forwarded. The other kind is ignored.",
            ],
            "workers": integer(1, 256, "Threads that serve; one per processor unless said."),
            "limits": object([
                "headBytes": integer(1_024, 1_048_576, "A request's line and fields."),
                "targetBytes": integer(256, 65_536, "A request's target."),
                "fields": integer(10, 1_000, "A request's field lines."),
                "contentBytes": integer(1_024, 16_777_216, "A request's content."),
                "connections": integer(1, 1_000_000, "Connections in all."),
                "connectionsPerAddress": integer(1, 1_000_000, "Connections of one client address."),
                "handshakes": integer(1, 1_000_000, "TLS handshakes at once."),
                "keptBytes": integer(
                    1_048_576,
                    68_719_476_736,
                    "Bytes of unread answers and half requests, of all connections together; 64 MiB unless said."
                ),
                "identitiesPerSecond": integer(1, 1_000_000, "Identities signed for one tenant; 100 unless said."),
                "identitiesPerSecondPerAddress": integer(1, 1_000_000, "The same from one address; 50 unless said."),
                "failuresPerMinutePerAddress": integer(
                    1,
                    1_000_000,
                    "Requests for identities without a valid token, from one address; 30 unless said."
                ),
            ]),
            "timeouts": object([
                "handshakeSeconds": seconds("A whole TLS handshake."),
                "headSeconds": seconds("A request's head."),
                "bodySeconds": seconds("Every 4 KiB of content."),
                "writeSeconds": seconds("Every 4 KiB of an answer."),
                "idleSeconds": seconds("Between requests; phones reuse a connection for 30 s."),
                "drainDelaySeconds": integer(0, 600, "After a stop was asked for, how long connections are accepted."),
                "drainSeconds": integer(1, 600, "How long a stop may take after that."),
            ]),
        ],
    ]

    private static let tls: JSONValue = ["type": "boolean", "default": true]
    private static let redirect: JSONValue = [
        "type": "boolean", "default": false, "description": "Send pages to https, serve nothing else.",
    ]
    private static let proxyProtocol: JSONValue = [
        "type": "boolean", "default": false,
        "description":
            "Require a PROXY header, of version 1 or 2, on each connection; only trustedProxies may connect.",
    ]

    /// Every key of every level, once.
    static let keys: [String] = names(in: value).sorted()

    private static func names(in schema: JSONValue) -> Set<String> {
        guard case .object(let members) = schema else { return [] }
        return members.reduce(into: []) { names, member in
            if member.name == "properties", case .object(let properties) = member.value {
                names.formUnion(properties.map(\.name).filter { $0 != "$schema" })
                for property in properties { names.formUnion(self.names(in: property.value)) }
            } else {
                names.formUnion(self.names(in: member.value))
            }
        }
    }

    private static func listener(_ more: [(name: String, value: JSONValue)]) -> JSONValue {
        let own: [(name: String, value: JSONValue)] = [
            (name: "address", value: ["type": "string", "description": "An IPv4 or IPv6 address."]),
            (name: "port", value: integer(0, 65_535, "0 lets the system choose.")),
        ]
        return object(.object(own + more), required: ["address", "port"])
    }

    static func object(_ properties: JSONValue, required: [JSONValue] = []) -> JSONValue {
        [
            "type": "object", "additionalProperties": false, "required": .array(required), "properties": properties,
        ]
    }

    private static func integer(_ minimum: Int, _ maximum: Int, _ description: String) -> JSONValue {
        [
            "type": "integer", "minimum": .integer(minimum), "maximum": .integer(maximum),
            "description": .string(description),
        ]
    }

    private static func seconds(_ description: String) -> JSONValue { integer(1, 3_600, description) }
}
