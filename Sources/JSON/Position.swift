/// A place in a text file, as an editor shows it.
///
/// Both are counted from 1; a column is one Unicode scalar, so that it agrees with what most editors display.
public struct Position: Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int

    /// A place from its line and column.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// `line:column`.
    public var description: String { "\(line):\(column)" }
}

extension Position: Comparable {
    /// The order of the text.
    public static func < (left: Position, right: Position) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
