internal import Bridges
public import HTTP
public import Server
public import System

/// What `server.json` says, checked and with its defaults filled in.
public struct Settings: Sendable {
    /// A place to listen at.
    public struct Listener: Sendable, Equatable {
        /// What is served there.
        public enum Role: Sendable {
            /// Pages and REST over TLS.
            case secure
            /// Pages and REST in the clear, for a proxy in front that speaks TLS.
            case plain
            /// Redirects to https.
            case redirect
        }

        /// An IPv4 or IPv6 literal.
        public var address: String
        /// The port; 0 lets the system choose.
        public var port: Int
        /// What is served there.
        public var role: Role
        /// Whether connections begin with a PROXY header.
        public var takesProxyHeader = false
    }

    /// The files of a certificate.
    public struct CertificateFiles: Sendable, Hashable {
        /// The leaf and its intermediates, PEM.
        public var chain: String
        /// The private key, PEM.
        public var key: String
    }

    /// Where the service listens.
    public var listeners: [Listener] = []
    /// Where health and status are told; nil for nowhere.
    public var admin: Listener?
    /// The certificates; none means a self-signed one.
    public var certificates: [CertificateFiles] = []
    /// Files of ticket keys, the sealing one first; none means keys in memory.
    public var ticketKeys: [String] = []
    /// Where a client of a certificate authority puts its answers to challenges; nil for nowhere.
    public var challengeDirectory: String?
    /// Whether a TLS client that asks for a name of no certificate is refused.
    public var refusesUnknownNames = false
    /// The service's own host names, in lower case.
    public var hosts: [String] = []
    /// The origin of page URLs for tenants without a host.
    public var publicBaseURL: String?
    /// Where tenants' secret files lie.
    public var secretsDirectory: String?
    /// Whether files that change are read again without a signal.
    public var watchesFiles = true
    /// The proxies in front, whose word counts about whom a connection or a request is from.
    public var trustedProxies: [AddressRange] = []
    /// The kind of fields that they write.
    public var forwardedFields = ForwardedFields.xForwarded
    /// Threads that serve; nil for one per processor.
    public var workers: Int?
    /// How much of a request is read.
    public var requestLimits = RequestLimits()
    /// How many connections are served.
    public var connectionLimits = ConnectionLimits.Values()
    /// How long a peer may take.
    public var timeouts = Timeouts()
    /// What is logged, how and where.
    var log = LogSettings()
    /// How often identities may be asked for.
    var identityRates = IdentityRates()
    /// How long, in seconds, connections are accepted after a stop was asked for.
    public var drainDelaySeconds = 0
    /// How long, in seconds, a stop may take after that.
    public var drainSeconds = 8
}

extension Settings {
    /// Whether any listener speaks TLS.
    var needsCertificate: Bool { listeners.contains { $0.role == .secure } }

    /// All listeners, the admin's last, and what is served at each.
    private var all: [(listener: Listener, role: Role)] {
        let own = listeners.map { listener in
            let role: Role =
                switch listener.role {
                case .secure: .secure
                case .plain: .plain
                case .redirect: .redirect
                }
            return (listener, role)
        }
        return own + (admin.map { [($0, .admin)] } ?? [])
    }

    /// What is served at each of the server's endpoints.
    var roles: [Role] { all.map(\.role) }

    /// The first listener, the admin's included, that can be reached from other machines.
    var openListener: Listener? {
        all.map(\.listener).first { listener in
            SocketAddress(literal: listener.address, port: 0)?.isLoopback != true
        }
    }

    /// The server's part of the settings.
    var serverConfiguration: ServerConfiguration {
        let endpoints = all.compactMap { listener, role in
            SocketAddress(literal: listener.address, port: UInt16(clamping: listener.port)).map {
                ServerConfiguration.Endpoint(
                    address: $0,
                    usesTLS: role == .secure,
                    isLimited: role != .admin,
                    takesProxyHeader: listener.takesProxyHeader
                )
            }
        }
        var configuration = ServerConfiguration(
            endpoints: endpoints,
            workers: workers ?? Processors.available
        )
        configuration.requestLimits = requestLimits
        configuration.timeouts = timeouts
        configuration.connectionLimits = connectionLimits
        configuration.trustedProxies = TrustedProxies(trustedProxies, fields: forwardedFields)
        configuration.drainDeadline = drainSeconds * 1_000
        if log.access != .off { configuration.tells = log.hasQueries ? .pathAndQuery : .path }
        return configuration
    }

    /// The port of https as clients reach it: that of the public URL, else that of the first TLS listener.
    func securePort(_ addresses: [SocketAddress]) -> Int {
        if let base = publicBaseURL.flatMap(HostName.ofOrigin) { return base.port }
        return zip(roles, addresses).first { $0.0 == .secure }.map { Int($0.1.port) } ?? 443
    }
}
