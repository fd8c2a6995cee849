/// A Content-Security-Policy (CSP3) as directives with sources, written the same in every process.
public struct Policy: Sendable, Equatable {
    /// The directives, in the order in which they are written.
    public private(set) var directives: [(name: String, sources: [String])]

    /// The least that any answer has: nothing is loaded, framed, based or submitted.
    public static let locked = Policy(
        directives: ["default-src", "base-uri", "object-src", "form-action", "frame-ancestors"].map { ($0, ["'none'"]) }
    )

    /// The value of the field.
    public var text: String {
        directives.map { directive in ([directive.name] + directive.sources).joined(separator: " ") }
            .joined(separator: "; ")
    }

    /// Adds sources; the first one takes the place of `'none'`, and none stands twice.
    mutating func allow(_ sources: [String], for name: String) {
        guard !sources.isEmpty else { return }
        let index = directives.firstIndex { $0.name == name } ?? directives.count
        if index == directives.count { directives.append((name, [])) }
        var all = directives[index].sources.filter { $0 != "'none'" }
        for source in sources where !all.contains(source) { all.append(source) }
        directives[index].sources = all
    }

    mutating func remove(_ name: String) {
        directives.removeAll { $0.name == name }
    }

    /// Both have the same text.
    public static func == (left: Policy, right: Policy) -> Bool { left.text == right.text }
}
