internal import JSON

/// The JSON Schemas (draft 2020-12) of the files that people edit, made from the same rules that the readers follow.
public enum Schemas {
    /// The files of `config/schemas/` that this room answers for, by name.
    public static func files(_ descriptors: [BridgeDescriptor]) -> [(name: String, text: String)] {
        [
            (name: "bridge.schema.json", text: DescriptorSchema.value.prettyText),
            (name: "tenant.schema.json", text: TenantSchema(descriptors: descriptors).value.prettyText),
        ]
    }

    static let dialect = "https://json-schema.org/draft/2020-12/schema"

    /// An object with these members and no others.
    static func object(
        _ properties: [(name: String, value: JSONValue)],
        required: [String] = [],
        description: String? = nil
    ) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("type", "object"),
            ("properties", .object(properties)),
            ("additionalProperties", false),
        ]
        if !required.isEmpty { members.append(("required", .array(required.map(JSONValue.string)))) }
        if let description { members.append(("description", .string(description))) }
        return .object(members)
    }

    static func array(of items: JSONValue, description: String? = nil) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [("type", "array"), ("items", items)]
        if let description { members.append(("description", .string(description))) }
        return .object(members)
    }

    static func text(matching pattern: String? = nil, description: String? = nil) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [("type", "string")]
        if let pattern { members.append(("pattern", .string(pattern))) }
        if let description { members.append(("description", .string(description))) }
        return .object(members)
    }

    static func oneOf(_ names: [String]) -> JSONValue {
        .object([("type", "string"), ("enum", .array(names.map(JSONValue.string)))])
    }

    static func boolean(default fallback: Bool? = nil, description: String? = nil) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [("type", "boolean")]
        if let fallback { members.append(("default", .bool(fallback))) }
        if let description { members.append(("description", .string(description))) }
        return .object(members)
    }

    static func integer(in range: ClosedRange<Int>, description: String? = nil) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("type", "integer"), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
        ]
        if let description { members.append(("description", .string(description))) }
        return .object(members)
    }
}
