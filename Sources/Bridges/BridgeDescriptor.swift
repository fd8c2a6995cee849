internal import JSON

/// One vendor's integration, as `config/bridges/NAME.json` describes it.
public struct BridgeDescriptor: Sendable {
    /// A source of the policy.
    enum Source: Sendable {
        /// Always.
        case fixed(String)
        /// While a setting has one of some values.
        case when(setting: String, values: [String], sources: [String])
        /// The origin of a setting's URL.
        case setting(String)
    }

    /// A feature that the page may delegate.
    struct Permission: Sendable {
        let feature: String
        /// The boolean setting that switches it; nil for always.
        let setting: String?
        let origins: [String]
    }

    /// How user ids are signed.
    public struct Identity: Sendable {
        /// The algorithm's name.
        public let algorithm: String
        /// The field of the request that holds the id.
        public let requestField: String
        /// The field of the answer that holds the id again.
        public let idField: String
        /// The field of the answer that holds the signature.
        public let hashField: String
    }

    /// The file's name without `.json`.
    public let name: String
    /// What people call it.
    public let title: String
    /// The page's file in `public/`; nil when the vendor's native SDK loads the vendor's own.
    public let page: String?
    /// How user ids are signed; nil if they are not.
    public let identity: Identity?
    let settings: [SettingDefinition]
    let policy: [(directive: String, sources: [Source])]
    let permissions: [Permission]
    /// Names of handlers, objects and channels, for the page.
    let native: JSONValue

    func setting(_ name: String) -> SettingDefinition? {
        settings.first { $0.name == name }
    }
}
