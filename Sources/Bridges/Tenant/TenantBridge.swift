public import Crypto
public import JSON

/// A bridge as one tenant has it, with all answers about it made ready.
public struct TenantBridge: Sendable {
    /// The bridge's name.
    public let name: String
    /// Whether it may be used; a page that may not shows ``notice``.
    public let enabled: Bool
    /// The text shown while it is disabled.
    public let notice: String?
    /// A short hash of all that the answers depend on.
    public let revision: String
    /// Where its page is; nil without a page, or if nobody said under which host.
    public let pageURL: String?
    /// Its page, if the bridge has one.
    public let page: Page?
    /// Why the page's policies allow what they do; nil unless the catalog has an inspector.
    public let explanation: PolicyExplanation?
    /// The tenant's settings over the descriptor's defaults; what neither gives is absent.
    public let configuration: JSONValue
    /// How visitors' identities are signed for this tenant; nil if the vendor wants none signed.
    public let identity: TenantIdentity?

    /// The answer of the API.
    public func restValue(tenant: String) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("tenant", .string(tenant)),
            ("bridge", .string(name)),
            ("enabled", .bool(enabled)),
            ("revision", .string(revision)),
            ("config", configuration),
        ]
        if let pageURL { members.append(("pageURL", .string(pageURL))) }
        return .object(members)
    }
}

/// How visitors' identities are signed for a tenant.
public struct TenantIdentity: Sendable {
    /// The vendor's rule.
    public let rule: IdentityRule
    /// The tenant's keys, the one to sign with first; none until the tenant has any.
    public let keys: [SigningKey]

    /// The key of that name, or the first one.
    public func key(_ kid: String?) -> SigningKey? {
        guard let kid else { return keys.first }
        return keys.first { $0.kid.isSame(as: kid) }
    }
}

/// A key, by the name that says which one signed.
public struct SigningKey: Sendable {
    /// The key's name.
    public let kid: String
    /// The key.
    public let secret: Secret
}
