internal import JSON

/// What a descriptor says of one setting.
struct SettingDefinition: Sendable {
    /// What a value is.
    enum Kind: String, CaseIterable, Sendable {
        case string
        case boolean
        case integer
        /// An https URL.
        case url
        /// A CSS colour.
        case color
    }

    /// A legal value that does not do what people think.
    struct Caution: Sendable {
        let value: JSONValue
        let message: String
    }

    /// The most characters that a string may have.
    static let maximumLength = 16_384

    let name: String
    let kind: Kind
    let description: String?
    let isRequired: Bool
    /// What a string must match as a whole, without anchors or with.
    let pattern: String?
    let range: ClosedRange<Int>?
    /// Values that are known to mean something; others may too.
    let known: [String]
    let defaultValue: JSONValue?
    /// Whether the native app's value counts before the tenant's.
    let isNative: Bool
    let cautions: [Caution]

    /// The pattern that a string of this kind matches whatever the descriptor says; the schema has the same text.
    ///
    /// It lets nothing through that could end a policy's source or a CSS value.
    var kindPattern: String? {
        switch kind {
        case .url:
            #"^https://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~!$()*+=:@%/-]*)?(?:\?[A-Za-z0-9._~!$()*+=:@%/?-]*)?$"#
        case .color:
            #"^(?:#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|(?:rgb|rgba|hsl|hsla)\([0-9.,%/ ]+\)|[A-Za-z]{3,24})$"#
        case .string, .boolean, .integer: nil
        }
    }

    /// What is expected of a value, for messages.
    var expectation: String {
        switch kind {
        case .string:
            pattern.map { "a string that matches \($0)" } ?? "a string of at most \(Self.maximumLength) characters"
        case .boolean: "true or false"
        case .integer: range.map { "an integer from \($0.lowerBound) to \($0.upperBound)" } ?? "an integer"
        case .url: "an https:// URL without user, quotes, commas or spaces"
        case .color: "a CSS colour such as #2563eb, rgb(37 99 235) or teal"
        }
    }
}
