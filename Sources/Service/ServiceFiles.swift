/// Where the service's files are, and what stands over their values.
public struct ServiceFiles: Sendable {
    /// Holds `server.json`, `bridges/` and `tenants/`.
    public var configDirectory: String
    /// Holds the pages.
    public var publicDirectory: String
    /// Values of `--set`, as `listeners.0.port=9443`.
    public var settings: [String]
    /// The process's variables.
    public var environment: [String: String]

    /// Files from their places.
    public init(
        configDirectory: String,
        publicDirectory: String,
        settings: [String] = [],
        environment: [String: String] = [:]
    ) {
        self.configDirectory = configDirectory
        self.publicDirectory = publicDirectory
        self.settings = settings
        self.environment = environment
    }

    /// The file that tells where and how to serve.
    public var serverFile: String { configDirectory + "/server.json" }
}

/// The program's version; it is part of every revision, since a new version may render another page.
public let version = "0.1.0"
