internal import JSON

/// Values that stand over those of `server.json`: from `--set PATH=VALUE` first, then from the environment.
///
/// A variable's name is `BRIDGEHOST_` and the path in upper snake case with numbers as indices:
/// `BRIDGEHOST_LISTENERS_0_ADDRESS`. A value that is JSON other than a string is taken as such, so `true` and `8443` are
/// what they look like; everything else is a string.
struct SettingsOverlay {
    /// The prefix of variables that are read.
    static let prefix = "BRIDGEHOST_"
    /// Variables with that prefix that say where the files are.
    static let reserved: Set<String> = ["BRIDGEHOST_CONFIG", "BRIDGEHOST_PUBLIC"]

    private struct Override {
        let source: String
        let path: [String]
        let value: JSONNode.Content
    }

    private var overrides: [Override] = []

    /// - Parameters:
    ///   - flags: `path=value`, as `listeners.0.port=9443`.
    ///   - environment: all variables of the process.
    init(flags: [String], environment: [String: String], problems: ProblemCollector) {
        for (name, text) in environment.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
        where name.utf8.starts(with: Self.prefix.utf8) && !Self.reserved.contains(name) {
            var rest = name.dropFirst(Self.prefix.count).split(separator: "_", omittingEmptySubsequences: false)[...]
            let path = Self.takePath(&rest)
            guard rest.isEmpty, !path.isEmpty else {
                problems.report(.unknownVariable(name, nearest: Self.nearestKey(rest)))
                continue
            }
            overrides.append(Override(source: "environment variable \(name)", path: path, value: Self.parse(text)))
        }
        for flag in flags {
            let parts = flag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                problems.report(.malformedSetFlag(flag))
                continue
            }
            let path = parts[0].split(separator: ".").map(String.init)
            overrides.append(Override(source: "--set \(parts[0])", path: path, value: Self.parse(parts[1])))
        }
    }

    /// The document with all values in their places.
    func apply(to root: JSONNode) -> JSONNode {
        overrides.reduce(root) { node, override in
            Self.replace(in: node, override.path[...], with: override.value)
        }
    }

    /// A problem as its reader should see it: one about an overlaid value names where that value came from.
    func attribute(_ problem: Problem) -> Problem {
        guard let path = problem.path?.description else { return problem }
        let source = overrides.last { path.utf8.starts(with: Self.jsonPath($0.path).description.utf8) }?.source
        guard let source else { return problem }
        return Problem(
            problem.severity,
            file: source,
            path: problem.path,
            found: problem.found,
            expected: problem.expected,
            advice: problem.advice
        )
    }

    private static func jsonPath(_ path: [String]) -> JSONPath {
        path.reduce(.root) { base, step in Int(step).map(base.element) ?? base.member(step) }
    }

    private static func parse(_ text: String) -> JSONNode.Content {
        guard let document = try? JSONReader.read(Array(text.utf8)), document.duplicates.isEmpty else {
            return .string(text)
        }
        if case .string = document.root.content { return .string(text) }
        return document.root.content
    }

    private static func replace(in node: JSONNode?, _ path: ArraySlice<String>, with value: JSONNode.Content)
        -> JSONNode
    {
        let position = node?.position ?? Position(line: 1, column: 1)
        guard let step = path.first else { return JSONNode(content: value, position: position) }
        if let index = Int(step), index >= 0, index < 64 {
            var elements: [JSONNode] = []
            if case .array(let existing) = node?.content { elements = existing }
            while elements.count <= index { elements.append(JSONNode(content: .object([]), position: position)) }
            elements[index] = replace(in: elements[index], path.dropFirst(), with: value)
            return JSONNode(content: .array(elements), position: position)
        }
        var members: [JSONMember] = []
        if case .object(let existing) = node?.content { members = existing }
        let existing = members.firstIndex { $0.name.utf8.elementsEqual(step.utf8) }
        let child = replace(in: existing.map { members[$0].node }, path.dropFirst(), with: value)
        let member = JSONMember(name: step, position: position, node: child)
        if let existing { members[existing] = member } else { members.append(member) }
        return JSONNode(content: .object(members), position: position)
    }
}

// MARK: - Names of variables

extension SettingsOverlay {
    /// `publicBaseURL` as `PUBLIC_BASE_URL`.
    static func upperSnake(_ key: String) -> String {
        var words = ""
        var previousIsLower = false
        for character in key {
            if character.isUppercase, previousIsLower { words.append("_") }
            previousIsLower = character.isLowercase
            words += character.uppercased()
        }
        return words
    }

    /// Takes the words of keys and indices, and leaves those from the first that is neither.
    private static func takePath(_ words: inout ArraySlice<Substring>) -> [String] {
        var path: [String] = []
        while let word = words.first {
            if let index = Int(word) {
                path.append(String(index))
                words = words.dropFirst()
                continue
            }
            // The longest key counts, so that CONNECTIONS_PER_ADDRESS is not CONNECTIONS.
            let candidates = ServerSchema.keys.map { (key: $0, words: upperSnake($0).split(separator: "_")) }
                .filter { words.starts(with: $0.words) }
            guard let best = candidates.max(by: { $0.words.count < $1.words.count }) else { return path }
            path.append(best.key)
            words = words.dropFirst(best.words.count)
        }
        return path
    }

    /// The key that the first words are nearest to, with as many words as it has.
    private static func nearestKey(_ words: ArraySlice<Substring>) -> String? {
        let names = ServerSchema.keys.map(upperSnake)
        return (1...4).lazy.compactMap { count in
            NearestName.of(words.prefix(count).joined(separator: "_"), among: names)
        }.first
    }
}
