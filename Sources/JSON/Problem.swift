/// Something in a file that a person must know of: where it is, what was found, what was expected and what to do.
///
/// The wording of every kind lives beside its room, in `Problem+Wording.swift`; nothing else makes one from text.
public struct Problem: Error, Hashable, Sendable {
    /// Whether the file can be used all the same.
    public enum Severity: String, Hashable, Sendable {
        /// The file, or the part of it, is not used.
        case error
        /// It is used, but may not do what was meant.
        case warning
    }

    /// Whether the file can be used all the same.
    public let severity: Severity
    /// The file, as its reader named it.
    public let file: String
    /// Where in the file; nil for the file as a whole.
    public let position: Position?
    /// Which value; nil for the file as a whole.
    public let path: JSONPath?
    /// What stands there; never a secret.
    public let found: String
    /// What could stand there.
    public let expected: String
    /// What to do, where that is not plain.
    public let advice: String?

    /// A problem, from its parts.
    public init(
        _ severity: Severity = .error,
        file: String,
        position: Position? = nil,
        path: JSONPath? = nil,
        found: String,
        expected: String,
        advice: String? = nil
    ) {
        self.severity = severity
        self.file = file
        self.position = position
        self.path = path
        self.found = found
        self.expected = expected
        self.advice = advice
    }
}

extension Problem {
    /// A problem at a place.
    public init(
        _ severity: Severity = .error,
        at place: Place,
        found: String,
        expected: String,
        advice: String? = nil
    ) {
        self.init(
            severity,
            file: place.file,
            position: place.position,
            path: place.path,
            found: found,
            expected: expected,
            advice: advice
        )
    }
}

extension Problem: CustomStringConvertible {
    /// The problem on one line: file, place, severity, path, what was found, what was expected, advice.
    public var description: String {
        var line = file
        if let position { line += ":\(position)" }
        line += ": \(severity.rawValue): "
        if let path { line += "\(path): " }
        line += "found \(found); expected \(expected)."
        if let advice { line += " \(advice)" }
        return line
    }
}

/// Collects the problems of one load; used on the loading thread alone.
public final class ProblemCollector {
    /// All that was reported, in the order of reporting.
    public private(set) var problems: [Problem] = []

    /// An empty collector.
    public init() {}

    /// Whether something was reported that forbids the use of its file.
    public var hasErrors: Bool { problems.contains { $0.severity == .error } }

    /// Adds one.
    public func report(_ problem: Problem) { problems.append(problem) }

    /// Adds several.
    public func report(_ problems: [Problem]) { self.problems += problems }
}

extension ProblemCollector {
    /// All that was reported of one file, in the order of its text; what is about the file as a whole comes first.
    public var inOrderOfText: [Problem] {
        // Swift's sort is stable, so that problems of one place stay in the order of reporting.
        problems.sorted { left, right in
            guard let right = right.position else { return false }
            return left.position.map { $0 < right } ?? true
        }
    }
}
