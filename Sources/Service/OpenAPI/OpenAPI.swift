internal import Bridges
internal import JSON

/// The API's own description (OpenAPI 3.1), made from the descriptors and fields that the answers are made from.
struct OpenAPI {
    static let path = "/api/v1/openapi.json"

    typealias Members = [(name: String, value: JSONValue)]

    /// The bridges that there are.
    let bridges: [BridgeDescriptor]
    /// Whether paths name a tenant, as on the service's own hosts.
    let isShared: Bool
    let rates: IdentityRates

    var document: JSONValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "bridgehost", "version": .string(version),
                "description": "Config of chat bridges for native apps, and signed identities for their users.",
            ],
            "servers": [["url": "/"]],
            "paths": .object(paths),
            "components": .object([
                ("schemas", .object(bridges.map { (name: $0.name, value: $0.restSchema) })),
                ("headers", responses.headerComponents),
                ("responses", responses.components),
                ("securitySchemes", ["bearerAuth": Self.bearer]),
            ]),
        ]
    }

    private static let bearer: JSONValue = [
        "type": "http", "scheme": "bearer",
        "description": "A token of the tenant, made by `bridgehost token`; for backends alone.",
    ]

    private var responses: OpenAPIResponses { OpenAPIResponses(rates: rates) }
    private var root: String { isShared ? "/api/v1/tenants/{tenant}/bridges" : "/api/v1/bridges" }

    private var paths: Members {
        var paths: Members = [
            (Self.path, .object(reading("description", "This description.", ["type": "object"], [])))
        ]
        paths.append((root, ofTenant(reading("bridges", "The config of all bridges.", list, conditions))))
        for bridge in bridges {
            let schema = Self.reference("schemas", bridge.name)
            let config = reading("bridge-\(bridge.name)", "The config of \(bridge.title).", schema, conditions)
            paths.append(("\(root)/\(bridge.name)", ofTenant(config)))
            guard let rule = bridge.identity else { continue }
            let signing = signing(bridge, rule)
            paths.append(("\(root)/\(bridge.name)/identity", ofTenant(signing)))
        }
        return paths
    }

    private var list: JSONValue {
        let any = bridges.map { Self.reference("schemas", $0.name) }
        let items: JSONValue = any.isEmpty ? false : ["anyOf": .array(any)]
        return [
            "type": "object", "additionalProperties": false, "required": ["tenant", "bridges"],
            "properties": ["tenant": ["type": "string"], "bridges": ["type": "array", "items": items]],
        ]
    }

    // MARK: Operations

    private func ofTenant(_ operations: Members) -> JSONValue {
        guard isShared else { return .object(operations) }
        let tenant = Self.parameter(
            "tenant",
            in: "path",
            ["type": "string", "pattern": .string(Tenant.namePattern)],
            "The tenant's name, for one that has no host of its own."
        )
        return .object(operations + [("parameters", [tenant])])
    }

    /// GET, HEAD and OPTIONS of what is prepared.
    private func reading(_ name: String, _ summary: String, _ schema: JSONValue, _ parameters: [JSONValue]) -> Members {
        let isConfig = !parameters.isEmpty
        let get = responses.ofReading(schema, isConfig: isConfig)
        return [
            ("get", operation("get-\(name)", summary, get, parameters)),
            ("head", operation("head-\(name)", "\(summary) Its fields alone.", get, parameters)),
            (
                "options",
                operation("options-\(name)", "What can be done.", responses.ofOptions(.reading, isConfig: isConfig))
            ),
        ]
    }

    private func signing(_ bridge: BridgeDescriptor, _ rule: IdentityRule) -> Members {
        let limit = IdentityRequest.idLimit
        let kid = Self.parameter(
            "kid",
            in: "query",
            ["type": "string", "pattern": .string(SigningKey.kidPattern)],
            "The key to sign with; the tenant's first one without."
        )
        let more: Members = [
            ("security", [["bearerAuth": []]]),
            (
                "requestBody",
                ["required": true, "content": ["application/json": ["schema": rule.requestSchema(idLimit: limit)]]]
            ),
        ]
        let summary =
            "Sign a visitor's id for \(bridge.title). For backends: a request with an Origin field is refused."
        let post = responses.ofSigning(rule.answerSchema(idLimit: limit))
        return [
            ("post", operation("sign-\(bridge.name)", summary, post, [kid], more)),
            (
                "options",
                operation(
                    "options-sign-\(bridge.name)",
                    "What can be done.",
                    responses.ofOptions(.posting, isConfig: false)
                )
            ),
        ]
    }

    private func operation(
        _ name: String,
        _ summary: String,
        _ responses: JSONValue,
        _ parameters: [JSONValue] = [],
        _ more: Members = []
    ) -> JSONValue {
        var members: Members = [
            ("operationId", .string(name)), ("summary", .string(summary)), ("responses", responses),
        ]
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        return .object(members + more)
    }

    // MARK: Parameters

    private var conditions: [JSONValue] {
        // Everything that a field's value can be (RFC 9110 §5.5).
        let value: JSONValue = ["type": "string", "pattern": "^[\\t -~\\u0080-\\u00ff]*$"]
        return [
            Self.parameter("If-None-Match", in: "header", value, "The entity tags that the client has."),
            Self.parameter("Accept-Encoding", in: "header", value, "gzip is what there is."),
            Self.parameter(
                "Origin",
                in: "header",
                value,
                "Whose page asks; those of access.origins may read the answer."
            ),
        ]
    }

    private static func parameter(
        _ name: String,
        in place: String,
        _ schema: JSONValue,
        _ description: String
    ) -> JSONValue {
        [
            "name": .string(name), "in": .string(place), "required": .bool(place == "path"), "schema": schema,
            "description": .string(description),
        ]
    }

    private static func reference(_ kind: String, _ name: String) -> JSONValue {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }
}
