/// A customer or brand whose pages are hosted: the content of one file in `config/tenants/`.
public struct Tenant: Sendable {
    /// The file's name without `.json`.
    public let name: String
    /// The host names that serve this tenant alone, the first one being that of its URLs; ASCII in lower case.
    public let hosts: [String]
    /// Who may use its API.
    public let access: Access
    /// Its bridges, sorted by name.
    public let bridges: [TenantBridge]
    /// Which rendering it is: another one of the same memory has another.
    public let edition: Int

    /// The bridge of that name.
    public func bridge(_ name: String) -> TenantBridge? {
        bridges.first { $0.name.isSame(as: name) }
    }
}

/// Who may use a tenant's API.
public struct Access: Sendable, Hashable {
    /// SHA-256 digests of the bearer tokens, 32 bytes each: the tokens themselves are in no file of ours.
    public let tokens: [[UInt8]]
    /// Origins that may read answers, exactly as browsers send them in `Origin`; `null` is that of local files.
    public let origins: [String]

    /// Nobody.
    static let none = Access(tokens: [], origins: [])
}
