/// Where a value stands: which file, which key, which line.
public struct Place: Hashable, Sendable {
    /// The file, as its reader named it.
    public let file: String
    /// The value's path.
    public let path: JSONPath
    /// The value's place in the text.
    public let position: Position

    /// A place from its parts.
    public init(file: String, path: JSONPath, position: Position) {
        self.file = file
        self.path = path
        self.position = position
    }
}

/// A value together with where it stands and where its problems go.
public struct Located {
    /// The value.
    public let node: JSONNode
    /// Where it stands.
    public let place: Place
    /// Where its problems go.
    public let problems: ProblemCollector
    /// Whether no problem may show the value, nor what is in it: a secret may have been pasted there.
    private var isConfidential = false

    /// The root of a document.
    public init(root: JSONNode, file: String, problems: ProblemCollector) {
        self.init(node: root, place: Place(file: file, path: .root, position: root.position), problems: problems)
    }

    private init(node: JSONNode, place: Place, problems: ProblemCollector) {
        self.node = node
        self.place = place
        self.problems = problems
    }

    /// Where the value itself begins, where ``place`` may be that of its name.
    public var valuePlace: Place { Place(file: place.file, path: place.path, position: node.position) }

    /// The same value, which no problem may show from now on.
    public var confidential: Located {
        var copy = self
        copy.isConfidential = true
        return copy
    }

    /// What it is, for messages.
    var kind: String { isConfidential ? "something else (not shown, as it may be a secret)" : node.kind }

    private func part(_ node: JSONNode, _ place: Place) -> Located {
        let part = Located(node: node, place: place, problems: problems)
        return isConfidential ? part.confidential : part
    }

    /// Reports that something else was expected here, and returns nil for use in a guard.
    @discardableResult
    public func expected<Value>(_ expected: String, advice: String? = nil) -> Value? {
        problems.report(.wrongValue(self, expected: expected, advice: advice))
        return nil
    }

    /// Reports a warning about the value.
    public func warn(expected: String, advice: String? = nil) {
        problems.report(.wrongValue(self, expected: expected, severity: .warning, advice: advice))
    }

    /// The value as a string; anything else is reported.
    public var string: String? {
        guard case .string(let text) = node.content else { return expected("a string") }
        return text
    }

    /// The value as a boolean; anything else, `1` too, is reported.
    public var bool: Bool? {
        guard case .bool(let value) = node.content else { return expected("true or false") }
        return value
    }

    /// The value as an integer in `range`; anything else, `1.0` too, is reported.
    public func integer(in range: ClosedRange<Int>) -> Int? {
        guard let value = node.integer, range.contains(value) else {
            return expected("an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// The elements of an array; anything else is reported.
    public var elements: [Located]? {
        guard case .array(let nodes) = node.content else { return expected("an array") }
        return nodes.enumerated().map { index, node in
            part(node, Place(file: place.file, path: place.path.element(index), position: node.position))
        }
    }

    /// The members of an object whose names are free; anything else is reported.
    ///
    /// A repeated name comes once.
    public var entries: [(name: String, value: Located)]? {
        guard case .object(let members) = node.content else { return expected("an object") }
        var seen: Set<[UInt8]> = []
        return members.filter { seen.insert(Array($0.name.utf8)).inserted }.map { member in
            (member.name, located(member))
        }
    }

    /// A reader of an object whose names are fixed; anything else is reported.
    public var object: ObjectReader? {
        guard case .object = node.content else { return expected("an object") }
        return ObjectReader(self)
    }

    fileprivate func located(_ member: JSONMember) -> Located {
        part(
            member.node,
            Place(file: place.file, path: place.path.member(member.name), position: member.position)
        )
    }
}

/// Reads an object whose names are fixed, and reports every other name when done.
public struct ObjectReader {
    /// The object.
    public let object: Located
    private var known: [String] = []

    init(_ object: Located) {
        self.object = object
    }

    /// The member of that name; its absence is reported if it is required.
    public mutating func value(_ name: String, required: Bool = false) -> Located? {
        known.append(name)
        guard case .object(let members) = object.node.content,
            let member = members.first(where: { $0.name.utf8.elementsEqual(name.utf8) })
        else {
            if required { object.problems.report(.missingKey(name, at: object.place)) }
            return nil
        }
        return object.located(member)
    }

    /// Reports the names that were never asked for.
    public func finish() {
        for (name, value) in object.entries ?? []
        where !known.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
            object.problems.report(.unknownKey(name, among: known, at: value.place))
        }
    }
}
