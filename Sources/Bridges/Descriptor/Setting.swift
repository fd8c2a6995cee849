public import JSON

/// One named value that a tenant can give: what it must look like, and what is in its place when absent.
public struct Setting: Sendable {
    /// The type of a setting's value.
    public enum Kind: String, CaseIterable, Sendable {
        /// Text.
        case string
        /// `true` or `false`.
        case boolean
        /// A whole number.
        case integer
        /// An `https` URL.
        case url
        /// A CSS colour.
        case color
    }

    /// A legal value that does not do what people think.
    public struct Warning: Sendable {
        /// The value.
        public let value: JSONValue
        /// What it really does.
        public let message: String
    }

    /// Its name in files, in the page's data and in REST.
    public let name: String
    /// Its type.
    public let kind: Kind
    /// Whether a tenant must give it.
    public let isRequired: Bool
    /// What text must match as a whole, anchored.
    public let pattern: String?
    /// Which integers are allowed.
    public let range: ClosedRange<Int>
    /// Values that the vendor documents; others are used with a warning.
    public let known: [JSONValue]
    /// The value where the tenant gives none.
    public let defaultValue: JSONValue?
    /// Whether the native app may give another value at start.
    public let isNative: Bool
    /// What it is for.
    public let summary: String?
    /// Values to warn of.
    public let warnings: [Warning]

    /// The integers that JavaScript keeps exactly.
    static let exactIntegers = -9_007_199_254_740_991...9_007_199_254_740_991
}
