internal import HTTP
internal import JSON

/// The answers of the API's description, from the fields and problems that are sent.
struct OpenAPIResponses {
    typealias Members = [(name: String, value: JSONValue)]

    let rates: IdentityRates

    /// What a problem can be had from: the parts of the components' names.
    private enum Kind: String, CaseIterable {
        case reading = "Reading"
        case signing = "Signing"

        var methods: Methods { self == .reading ? .reading : .posting }
        var scopes: [ProblemDetail.Scope] { [.everything, self == .reading ? .representations : .identities] }
    }

    /// The answers that are problems, by kind of operation and status.
    var components: JSONValue {
        .object(
            Kind.allCases.flatMap { kind in
                statuses(kind).map { ("\(kind.rawValue)\($0.rawValue)", problem(kind, $0)) }
            }
        )
    }

    /// The fields that answers share, by name; each is told once.
    var headerComponents: JSONValue { .object(Self.constants { SecurityFields.ofData(isSecure: $0) } + Self.framing) }

    // MARK: Operations

    func ofReading(_ schema: JSONValue, isConfig: Bool) -> JSONValue {
        let vary = isConfig ? AnswerFields.varyOfConfig : "Accept-Encoding"
        let common = headers { AnswerFields.ofRepresentation(vary: vary) + SecurityFields.ofData(isSecure: $0) }
        let origin = isConfig ? optional(CrossOrigin.fields(allowing: [])) : []
        let tag: Members = [("ETag", Self.header(["type": "string", "pattern": "^\"[0-9a-f]{16}(-gzip)?\"$"]))]
        let coding = optional([(name: "Content-Encoding", value: "gzip")])
        let members: Members = [
            ("200", response("As it is now.", tag + common + origin + coding + Self.length, schema)),
            ("304", response("As the client has it.", tag + common + origin, nil)),
        ]
        return .object(members + problems(.reading))
    }

    func ofOptions(_ methods: Methods, isConfig: Bool) -> JSONValue {
        let isReading = methods == .reading
        // The answer to a preflight says Access-Control-Allow-Methods instead of Allow.
        var fields = headers { AnswerFields.ofOptions(methods, isSecure: $0) }
        if isConfig {
            fields = fields.filter { $0.name != "Allow" } + optional([(name: "Allow", value: methods.allow)])
            fields += optional(CrossOrigin.preflightFields(allowing: []))
        }
        let members: Members = [("204", response("What can be done.", fields, nil))]
        return .object(members + problems(isReading ? .reading : .signing))
    }

    func ofSigning(_ schema: JSONValue) -> JSONValue {
        let fields = headers { AnswerFields.ofIdentity(isSecure: $0) }
        let members: Members = [("200", response("The id and its signature.", fields + Self.length, schema))]
        return .object(members + problems(.signing))
    }

    // MARK: Problems

    private func statuses(_ kind: Kind) -> [Status] {
        let statuses = Set(problems(kind, nil).map(\.status))
        return statuses.sorted { $0.rawValue < $1.rawValue }
    }

    private func problems(_ kind: Kind, _ status: Status?) -> [ProblemDetail] {
        ProblemDetail.allCases.filter { kind.scopes.contains($0.scope) && (status == nil || $0.status == status) }
    }

    private func problems(_ kind: Kind) -> Members {
        statuses(kind).map { status in
            ("\(status.rawValue)", ["$ref": .string("#/components/responses/\(kind.rawValue)\(status.rawValue)")])
        }
    }

    private func problem(_ kind: Kind, _ status: Status) -> JSONValue {
        let problems = problems(kind, status)
        let lists = problems.map { problem in
            headers { AnswerFields.of(problem, allowing: kind.methods, rates, isSecure: $0) }
        }
        // What only some of a status's problems have is no field of all.
        let names = Set(lists.flatMap { $0.map(\.name) })
        let fields = names.sorted().compactMap { name -> (name: String, value: JSONValue)? in
            let own = lists.compactMap { list in list.first { $0.name == name }?.value }
            let isOfAll = own.count == lists.count
            if isOfAll, own.dropFirst().allSatisfy({ $0 == own[0] }) { return (name, own[0]) }
            return (name, Self.header(["type": "string"], isRequired: isOfAll))
        }
        let schema: JSONValue = [
            "type": "object", "additionalProperties": false, "required": ["type", "title", "status", "detail"],
            "properties": [
                "type": ["const": "about:blank"], "title": ["const": .string(status.reason)],
                "status": ["const": .integer(Int(status.rawValue))],
                "detail": ["enum": .array(problems.map { .string($0.detail) })],
            ],
        ]
        return response(status.reason + ".", fields + Self.length, schema, type: "application/problem+json")
    }

    // MARK: Parts

    private static let length: Members = [("Content-Length", reference("Content-Length"))]

    /// What every answer may have, or must.
    private static let framing: Members = [
        ("Content-Length", Self.header(["type": "integer", "minimum": 0])),
        ("Date", Self.header(["type": "string"])),
        ("Connection", Self.header(["type": "string"], isRequired: false)),
    ]

    private func response(
        _ description: String,
        _ headers: Members,
        _ schema: JSONValue?,
        type: String = "application/json"
    ) -> JSONValue {
        let date = ["Date", "Connection"].map { (name: $0, value: Self.reference($0)) }
        var members: Members = [("description", .string(description)), ("headers", .object(headers + date))]
        if let schema { members.append(("content", .object([(type, .object([("schema", schema)]))]))) }
        return .object(members)
    }

    /// The fields of both kinds of listeners; those that only one has are optional.
    private func headers(_ fields: (_ isSecure: Bool) -> AnswerFields.Fields) -> Members {
        let shared = Set(SecurityFields.ofData(isSecure: true).map(\.name))
        return Self.constants { isSecure in fields(isSecure).filter { !shared.contains($0.name) } }
            + fields(true).filter { shared.contains($0.name) }.map { ($0.name, Self.reference($0.name)) }
    }

    private static func constants(_ fields: (_ isSecure: Bool) -> AnswerFields.Fields) -> Members {
        let plain = Set(fields(false).map(\.name))
        return fields(true).filter { $0.name != "Content-Type" }.map { field in
            let schema: JSONValue = ["type": "string", "const": .string(field.value)]
            return (field.name, Self.header(schema, isRequired: plain.contains(field.name)))
        }
    }

    /// Fields that some answers have; a value is given where all have the same.
    private func optional(_ fields: AnswerFields.Fields) -> Members {
        fields.map { field in
            let type: JSONValue = ["type": "string"]
            let schema: JSONValue = field.value.isEmpty ? type : ["type": "string", "const": .string(field.value)]
            return (field.name, Self.header(schema, isRequired: false))
        }
    }

    private static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/headers/\(name)")]
    }

    private static func header(_ schema: JSONValue, isRequired: Bool = true) -> JSONValue {
        ["required": .bool(isRequired), "schema": schema]
    }
}
