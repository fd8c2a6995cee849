public import JSON

/// The immutable snapshot of all that is hosted; a reload makes another.
public struct Catalog: Sendable {
    /// The tenants that are served, by name.
    public let tenants: [Tenant]
    /// The bridges that there are, by name.
    public let bridges: [BridgeDescriptor]

    /// Nothing at all.
    public static let empty = Catalog(tenants: [], bridges: [])
}

/// A brand or customer whose pages are hosted.
public struct Tenant: Sendable {
    /// Who may ask for what.
    public struct Access: Sendable {
        /// SHA-256 digests of the tokens of the tenant's backend.
        public let tokens: [[UInt8]]
        /// The origins that may read its config from a web page.
        public let origins: [String]
    }

    /// The file's name without `.json`.
    public let name: String
    /// Its own host names, in lower case; with none it is served by path on the service's hosts.
    public let hosts: [String]
    /// Who may ask for what.
    public let access: Access
    /// Its bridges, by name.
    public let bridges: [TenantBridge]
}

/// One vendor's integration as one tenant has it.
public struct TenantBridge: Sendable {
    /// A secret that signs user ids; what it holds is read elsewhere.
    public struct Secret: Sendable, Equatable {
        /// Tells secrets apart while one replaces another.
        public let kid: String
        /// The file's name inside the secrets directory.
        public let file: String
    }

    /// The bridge's name.
    public let name: String
    /// False while the tenant has it switched off.
    public let enabled: Bool
    /// A short hash of all that its answers depend on.
    public let revision: String
    /// Where a native app loads the page from; nil without a page, or without an origin to name.
    public let pageURL: String?
    /// The page as it is sent; nil for a bridge without one.
    public let page: Page?
    /// The tenant's settings over the descriptor's defaults.
    public let config: JSONValue
    /// The secrets that sign, the first one by default.
    public let secrets: [Secret]

    /// What REST says of it.
    public func restValue(tenant: String) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            (name: "tenant", value: .string(tenant)),
            (name: "bridge", value: .string(name)),
            (name: "enabled", value: .bool(enabled)),
            (name: "revision", value: .string(revision)),
            (name: "config", value: config),
        ]
        if let pageURL { members.append((name: "pageURL", value: .string(pageURL))) }
        return .object(members)
    }
}

/// A rendered page and the fields that belong to it.
public struct Page: Sendable {
    /// The file's name, which is the last part of its URL.
    public let name: String
    /// The HTML.
    public let body: [UInt8]
    /// The value of Content-Security-Policy.
    public let contentSecurityPolicy: String
    /// The value of Content-Security-Policy-Report-Only, if the tenant tries a change.
    public let reportOnlyPolicy: String?
    /// The value of Permissions-Policy.
    public let permissionsPolicy: String
    /// The value of Reporting-Endpoints.
    public let reportingEndpoints: String
}
