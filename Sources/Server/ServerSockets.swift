public import System

/// A ``System/Wakeup`` that several own.
public final class SharedWakeup: Sendable {
    /// The wake-up.
    public let wakeup: Wakeup

    init() throws(SystemError) {
        wakeup = try Wakeup()
    }
}

/// The listening sockets of a server, bound before anything is served, so that its ports are known.
public struct ServerSockets: Sendable {
    /// Where they listen, in the order of the configuration's endpoints; ports that were 0 are those chosen.
    public private(set) var addresses: [SocketAddress] = []
    let configuration: ServerConfiguration
    /// By worker.
    private(set) var listeners: [[OpenListener]]
    private(set) var mailboxes: [Mailbox] = []
    /// What each worker will count.
    public let counters: [Counters]
    /// What the workers will tell of their answers; nil unless it was asked for.
    public let journal: Journal?
    /// The connections that there will be.
    public let connectionLimits: ConnectionLimits
    let finished: SharedWakeup

    /// Binds all endpoints for all workers.
    ///
    /// - Throws: ``ServerError/system(_:)`` for an address that is taken, not ours, or not allowed.
    public init(_ configuration: ServerConfiguration) throws(ServerError) {
        self.configuration = configuration
        counters = (0..<configuration.workers).map { _ in Counters(listeners: configuration.endpoints.count) }
        connectionLimits = ConnectionLimits(configuration.connectionLimits)
        listeners = Array(repeating: [], count: configuration.workers)
        do throws(SystemError) {
            finished = try SharedWakeup()
            journal = try configuration.tells.map { tells throws(SystemError) in
                try Journal(workers: configuration.workers, tellsQuery: tells == .pathAndQuery)
            }
            for _ in 0..<configuration.workers { mailboxes.append(try Mailbox()) }
            for (index, endpoint) in configuration.endpoints.enumerated() { try bind(endpoint, index) }
        } catch {
            throw .system(error)
        }
    }

    private mutating func bind(_ endpoint: ServerConfiguration.Endpoint, _ index: Int) throws(SystemError) {
        let isShared = configuration.workers > 1
        if isShared { try Listener.check(free: endpoint.address) }
        var address = endpoint.address
        for worker in 0..<configuration.workers {
            let listener = try Listener(address: address, shared: isShared)
            address = listener.address
            listeners[worker].append(OpenListener(listener, index: index, endpoint))
        }
        addresses.append(address)
    }
}
