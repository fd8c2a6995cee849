public import JSON

/// All that is known of a vendor's integration: the content of one file in `config/bridges/`.
public struct BridgeDescriptor: Sendable {
    /// The file's name without `.json`.
    public let name: String
    /// The name for people.
    public let title: String
    /// The file in `public/` that is the bridge's page, if it has one.
    public let page: String?
    /// Its settings, sorted by name.
    public let settings: [Setting]
    /// How the page reaches the app, as it stands in the file; the page's script reads it.
    public let native: JSONValue?
    /// How a visitor's identity is signed, if the vendor wants that.
    public let identity: IdentityRule?
    /// What the page may load.
    let sources: [Directive: [SourceRule]]
    /// What the page may ask the browser for.
    let permissions: [PermissionRule]

    /// The setting of that name.
    public func setting(_ name: String) -> Setting? {
        settings.first { $0.name.isSame(as: name) }
    }

    /// Whether a tenant must give settings at all.
    var needsSettings: Bool { settings.contains(where: \.isRequired) }
}

/// How an identity is asked for, signed and answered.
public struct IdentityRule: Sendable {
    /// The ways to sign that we know.
    public enum Algorithm: String, CaseIterable, Sendable {
        /// HMAC-SHA256 of the exact bytes of the id, in lowercase hexadecimal.
        case hmacSHA256Hexadecimal = "hmac-sha256-hex"
    }

    /// How it is signed.
    public let algorithm: Algorithm
    /// The request's field that carries the id.
    public let requestField: String
    /// The answer's field that carries the id.
    public let idField: String
    /// The answer's field that carries the signature.
    public let hashField: String
}

/// Something that allows sources in a directive.
enum SourceRule: Sendable {
    /// Always this one.
    case source(String)
    /// These, if the settings have one of the values named.
    case when([Condition], sources: [String])
    /// The origin of a URL setting's value.
    case setting(String)

    /// A setting and the values with which a rule holds.
    struct Condition: Sendable {
        let setting: String
        let values: [JSONValue]
    }
}

/// A browser feature that the page may use, and pass on to frames of some origins.
struct PermissionRule: Sendable {
    let feature: String
    /// The boolean setting that switches it; nil if it is always on.
    let setting: String?
    let origins: [SourceRule]
}
