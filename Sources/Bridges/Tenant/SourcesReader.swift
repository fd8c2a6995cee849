internal import JSON

/// Reads lists of policy sources by directive.
enum SourcesReader {
    /// A tenant's `policy` or `reportOnly`.
    static func readTenantSources(_ value: Located) -> [Directive: [String]]? {
        guard var reader = value.object else { return nil }
        var result: [Directive: [String]] = [:]
        for directive in Directive.ofTenants {
            guard let list = reader.value(directive.rawValue) else { continue }
            result[directive] = (list.elements ?? []).compactMap { readSource($0, in: directive, by: .tenant) }
        }
        reader.finish()
        return result
    }

    /// One source, or nil when it is refused, which is reported.
    static func readSource(_ value: Located, in directive: Directive, by author: PolicySource.Author) -> String? {
        guard let text = value.string else { return nil }
        guard let refusal = PolicySource.refusal(of: text, in: directive, by: author) else { return text }
        value.problems.report(.refusedSource(value, refusal: refusal, directive: directive, author: author))
        return nil
    }
}
