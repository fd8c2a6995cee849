internal import Synchronization
public import System
internal import TLS

/// Serves HTTP/1.1 with one worker thread per processor, each with its own listeners, poller and connections.
public final class Server: Sendable {
    /// Where it listens, in the order of the configuration's endpoints; ports that were 0 are those chosen.
    public let addresses: [SocketAddress]
    /// What each worker counts.
    public let counters: [Counters]
    /// The connections that there are.
    public let connectionLimits: ConnectionLimits
    /// Woken whenever a worker has ended; see ``isFinished``.
    public let finished: Wakeup

    private let configuration: ServerConfiguration
    private let mailboxes: [Mailbox]
    private let running: Atomic<Int>

    /// Binds all endpoints, starts the workers and serves.
    ///
    /// - Throws: ``ServerError``; nothing is left listening then.
    public init(_ configuration: ServerConfiguration, content: ServerContent) throws(ServerError) {
        self.configuration = configuration
        let parts: Parts
        do throws(SystemError) {
            parts = try Parts(configuration)
            finished = try Wakeup()
        } catch {
            throw .system(error)
        }
        addresses = parts.addresses
        mailboxes = parts.mailboxes
        connectionLimits = ConnectionLimits(configuration.connectionLimits)
        counters = mailboxes.map { _ in Counters() }
        running = Atomic(mailboxes.count)
        let ticketKeys = try Self.makeTicketKeys()
        for index in mailboxes.indices {
            let worker = try Worker(
                configuration: configuration,
                content: content,
                listeners: parts.listeners[index],
                limits: connectionLimits,
                counters: counters[index],
                mailbox: mailboxes[index],
                ticketKeys: ticketKeys
            )
            try start(worker, index)
        }
    }

    private static func makeTicketKeys() throws(ServerError) -> TicketKeys {
        do throws(TLSError) { return try TicketKeys.random() } catch { throw .tls(error) }
    }

    private func start(_ worker: sending Worker, _ index: Int) throws(ServerError) {
        do throws(SystemError) {
            try Thread.start(name: "worker-\(index)") { [self] in
                worker.run()
                running.subtract(1, ordering: .releasing)
                finished.wake()
            }
        } catch {
            throw .system(error)
        }
    }

    /// Whether every worker has ended.
    public var isFinished: Bool { running.load(ordering: .acquiring) == 0 }

    /// Serves other content from each worker's next event on; connections stay.
    public func replace(_ content: ServerContent) {
        for mailbox in mailboxes { mailbox.post(.replace(content)) }
    }

    /// Stops accepting, lets what was begun end, and ends the workers by the configured deadline at the latest.
    public func drain() {
        let deadline = Clock.monotonicMilliseconds + configuration.drainDeadline
        for mailbox in mailboxes { mailbox.post(.drain(deadline: deadline)) }
    }
}

/// What must exist before the first worker starts.
private struct Parts {
    var addresses: [SocketAddress] = []
    /// By worker.
    var listeners: [[OpenListener]]
    var mailboxes: [Mailbox] = []

    init(_ configuration: ServerConfiguration) throws(SystemError) {
        let workers = configuration.workers
        listeners = Array(repeating: [], count: workers)
        for _ in 0..<workers { mailboxes.append(try Mailbox()) }
        for (index, endpoint) in configuration.endpoints.enumerated() {
            if workers > 1 { try Listener.check(free: endpoint.address) }
            var address = endpoint.address
            for worker in 0..<workers {
                let open = OpenListener(
                    try Listener(address: address, shared: workers > 1),
                    index: index,
                    usesTLS: endpoint.usesTLS
                )
                address = open.listener.address
                listeners[worker].append(open)
            }
            addresses.append(address)
        }
    }
}
