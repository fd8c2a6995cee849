/// A Content-Security-Policy as a value: directives and their sources, without repetitions, in a fixed order.
public struct Policy: Hashable, Sendable {
    private var sources: [Directive: [String]]

    /// The policy of every answer that is no page: nothing may load, frame, post or be a base.
    public static let locked = Policy(closing: [.defaultSrc, .baseURI, .objectSrc, .formAction, .frameAncestors])

    /// A policy in which these directives allow nothing.
    init(closing directives: [Directive]) {
        sources = Dictionary(uniqueKeysWithValues: directives.map { ($0, []) })
    }

    /// The policy that ``text`` writes.
    init(text: String) {
        let directives = text.split(separator: "; ").compactMap { part -> (Directive, [String])? in
            let words = part.split(separator: " ").map(String.init)
            guard let directive = words.first.flatMap(Directive.init) else { return nil }
            return (directive, words.dropFirst().filter { $0 != "'none'" })
        }
        sources = Dictionary(directives) { first, _ in first }
    }

    /// Allows a source; the first one takes the place of `'none'`.
    mutating func allow(_ source: String, in directive: Directive) {
        guard !(sources[directive] ?? []).contains(where: { $0.isSame(as: source) }) else { return }
        sources[directive, default: []].append(source)
    }

    /// The sources of a directive, nil where it is not written.
    public func sources(of directive: Directive) -> [String]? { sources[directive] }

    /// The field's value, on one line.
    public var text: String {
        Directive.allCases.compactMap { directive in
            sources[directive].map { sources in
                directive.rawValue + " " + (sources.isEmpty ? "'none'" : sources.joined(separator: " "))
            }
        }
        .joined(separator: "; ")
    }
}
