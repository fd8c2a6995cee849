import HTTP
import JSON
import Testing

@testable import Service

/// The API's description as a client reads it, to hold answers against.
struct Description {
    let root: JSONNode
    let text: String

    init(_ answer: Answer) throws {
        root = try JSONReader.read(answer.content).root
        text = answer.text
    }

    var paths: [String] { names(of: root.member("paths")) }
    var responses: [String] { names(of: root.member("components")?.member("responses")) }

    func response(_ name: String) -> JSONNode? { root.member("components")?.member("responses")?.member(name) }

    /// All that an answer has or lacks against what is said of that operation.
    func objections(to answer: Answer, _ method: String, _ path: String) -> [String] {
        let operation = root.member("paths")?.member(path)?.member(method)
        guard let found = operation?.member("responses")?.member("\(answer.status)"), let response = resolve(found)
        else { return ["\(method) \(path) has no \(answer.status)"] }
        let described = Dictionary(
            members(response.member("headers")).map { ($0.name.lowercased(), resolve($0.node) ?? $0.node) },
            uniquingKeysWith: { first, _ in first }
        )
        let sent = answer.fields.filter { $0.name != "content-type" }
        let unknown = sent.filter { described[$0.name] == nil }.map { "undescribed \($0.name)" }
        let wrong = sent.filter { field in
            described[field.name]?.member("schema")?.member("const").map { $0.text != field.value } ?? false
        }
        let missing = described.filter { name, header in
            header.member("required")?.isTrue == true && answer.value(name) == nil
        }
        let type = answer.value("content-type")
        let types = names(of: response.member("content"))
        return unknown + wrong.map { "other value of \($0.name): \($0.value)" } + missing.map { "missing \($0.key)" }
            + (type.map { types.contains($0) } ?? types.isEmpty ? [] : ["type \(type ?? "none")"])
    }

    private func resolve(_ node: JSONNode) -> JSONNode? {
        guard let reference = node.member("$ref")?.text else { return node }
        let places = reference.split(separator: "/").dropFirst()
        return places.reduce(root as JSONNode?) { node, name in node?.member(String(name)) }
    }

    func names(of node: JSONNode?) -> [String] { members(node).map(\.name) }

    private func members(_ node: JSONNode?) -> [JSONMember] {
        guard case .object(let members) = node?.content else { return [] }
        return members
    }
}

extension JSONNode {
    var text: String? {
        guard case .string(let text) = content else { return nil }
        return text
    }

    var isTrue: Bool {
        guard case .bool(let value) = content else { return false }
        return value
    }

    var elements: [JSONNode] {
        guard case .array(let elements) = content else { return [] }
        return elements
    }
}
