/// Where a catalog is loaded from, and what of the service goes into its pages.
public struct CatalogSource: Sendable {
    /// The folder with `bridges/` and `tenants/`.
    public let configDirectory: String
    /// The folder with the pages and the files that they put in.
    public let publicDirectory: String
    /// The URL before `/{tenant}/{page}` for tenants without a host.
    public let publicBaseURL: String?
    /// The folder of secrets, outside both others.
    public let secretsDirectory: String?
    /// The service's own host names, which no tenant can claim.
    public let serviceHosts: [String]
    /// Goes into every revision: another version of the service may answer otherwise.
    public let revisionSalt: String
    /// Whether the inspector's pages are read as well.
    public let inspects: Bool

    /// A source from its parts.
    public init(
        configDirectory: String,
        publicDirectory: String,
        publicBaseURL: String? = nil,
        secretsDirectory: String? = nil,
        serviceHosts: [String] = [],
        revisionSalt: String = "",
        inspects: Bool = false
    ) {
        self.configDirectory = configDirectory
        self.publicDirectory = publicDirectory
        self.publicBaseURL = publicBaseURL
        self.secretsDirectory = secretsDirectory
        self.serviceHosts = serviceHosts
        self.revisionSalt = revisionSalt
        self.inspects = inspects
    }

    /// Every name that belongs to the service: those given, that of its base URL, and `localhost`.
    var reservedHosts: Set<String> {
        let base = publicBaseURL.flatMap { URLParts($0.utf8) }.map {
            String(decoding: $0.host.lowercased, as: UTF8.self)
        }
        let given = serviceHosts.map { String(decoding: Array($0.utf8).lowercased, as: UTF8.self) }
        return Set(given + ["localhost"] + [base].compactMap(\.self))
    }
}
