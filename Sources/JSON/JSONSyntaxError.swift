/// Why a text is not JSON (RFC 8259), and where.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// What was wrong.
    public enum Reason: Hashable, Sendable {
        /// The text begins with a byte order mark.
        case byteOrderMark
        /// Bytes that are not UTF-8.
        case invalidUTF8
        /// The text ends in the middle of a value.
        case unexpectedEnd
        /// A byte that can't stand there; `expected` says what can.
        case unexpected(byte: UInt8, expected: Expectation)
        /// A comma before `]` or `}`.
        case trailingComma
        /// A control character inside a string.
        case controlCharacter(UInt8)
        /// A backslash before something that is no escape.
        case invalidEscape
        /// A `\u` surrogate without its other half.
        case loneSurrogate
        /// A number with a leading zero, or without digits where they must be.
        case invalidNumber
        /// More arrays and objects in each other than are read.
        case tooDeep(limit: Int)
        /// Something after the value.
        case trailingContent
    }

    /// What could stand at a place.
    public enum Expectation: Hashable, Sendable {
        /// Any value.
        case value
        /// A name in quotes.
        case name
        /// `:`.
        case colon
        /// `,` or the end of the array or object.
        case separator
        /// The rest of `true`, `false` or `null`.
        case literal
    }

    /// What was wrong.
    public let reason: Reason
    /// Where.
    public let position: Position
}
