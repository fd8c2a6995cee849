public import HTTP
public import Server

/// What `server.json` says, checked and with its defaults filled in.
public struct Settings: Sendable {
    /// A place to listen at.
    public struct Listener: Sendable {
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
    }

    /// The files of a certificate.
    public struct CertificateFiles: Sendable {
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
    /// The service's own host names, in lower case.
    public var hosts: [String] = []
    /// The origin of page URLs for tenants without a host.
    public var publicBaseURL: String?
    /// Where tenants' secret files lie.
    public var secretsDirectory: String?
    /// Threads that serve; nil for one per processor.
    public var workers: Int?
    /// How much of a request is read.
    public var requestLimits = RequestLimits()
    /// How many connections are served.
    public var connectionLimits = ConnectionLimits.Values()
    /// How long a peer may take.
    public var timeouts = Timeouts()
    /// How long, in seconds, connections are accepted after a stop was asked for.
    public var drainDelaySeconds = 0
    /// How long, in seconds, a stop may take after that.
    public var drainSeconds = 8
}
