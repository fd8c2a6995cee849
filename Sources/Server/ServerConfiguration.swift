public import HTTP
public import System

/// Where and how a server serves; fixed for its life.
public struct ServerConfiguration: Sendable {
    /// A place to listen at.
    public struct Endpoint: Sendable {
        /// Where.
        public let address: SocketAddress
        /// Whether TLS is spoken there.
        public let usesTLS: Bool

        /// Whether the limits of connections hold there; a flood must not keep an operator or a probe out.
        public let isLimited: Bool

        /// Whether each connection begins with a PROXY header of a trusted proxy, and none other is served.
        public let takesProxyHeader: Bool

        /// An endpoint from its parts.
        public init(address: SocketAddress, usesTLS: Bool, isLimited: Bool = true, takesProxyHeader: Bool = false) {
            self.address = address
            self.usesTLS = usesTLS
            self.isLimited = isLimited
            self.takesProxyHeader = takesProxyHeader
        }
    }

    /// What of a request's target is told.
    public enum Tells: Sendable {
        /// The path alone.
        case path
        /// The path and the query.
        case pathAndQuery
    }

    /// Where it listens; a responder sees the index.
    public var endpoints: [Endpoint]
    /// The number of threads that serve.
    public var workers: Int
    /// How much of a request is read.
    public var requestLimits = RequestLimits()
    /// How long a peer may take.
    public var timeouts = Timeouts()
    /// How many connections are served.
    public var connectionLimits = ConnectionLimits.Values()
    /// What a journal tells of each answer's request; nil for no journal.
    public var tells: Tells?
    /// Whose word counts about whom a connection or a request is from; nil for nobody's.
    public var trustedProxies: TrustedProxies?
    /// How long, in milliseconds, a drain may take.
    public var drainDeadline = 8_000

    /// A configuration with the defaults for all else.
    public init(endpoints: [Endpoint], workers: Int) {
        self.endpoints = endpoints
        self.workers = workers
    }
}
