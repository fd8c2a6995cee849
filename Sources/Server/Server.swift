internal import Synchronization
public import System
public import TLS

/// Serves HTTP/1.1 with one worker thread per processor, each with its own listeners, poller and connections.
public final class Server: Sendable {
    /// Where it listens, in the order of the configuration's endpoints; ports that were 0 are those chosen.
    public let addresses: [SocketAddress]
    /// What each worker counts.
    public let counters: [Counters]
    /// The connections that there are.
    public let connectionLimits: ConnectionLimits
    /// Woken whenever a worker has ended; see ``isFinished``.
    public let finished: SharedWakeup

    private let configuration: ServerConfiguration
    private let mailboxes: [Mailbox]
    private let running: Atomic<Int>

    /// Starts the workers on sockets that are bound.
    ///
    /// - Throws: ``ServerError``; nothing is served then.
    public init(
        _ sockets: consuming ServerSockets,
        content: ServerContent,
        ticketKeys: TicketKeys
    ) throws(ServerError) {
        configuration = sockets.configuration
        addresses = sockets.addresses
        mailboxes = sockets.mailboxes
        finished = sockets.finished
        connectionLimits = sockets.connectionLimits
        counters = sockets.counters
        running = Atomic(mailboxes.count)
        for index in mailboxes.indices {
            let worker = try Worker(
                index: index,
                configuration: configuration,
                content: content,
                listeners: sockets.listeners[index],
                limits: connectionLimits,
                counters: counters[index],
                mailbox: mailboxes[index],
                journal: sockets.journal,
                ticketKeys: ticketKeys
            )
            try start(worker, index)
        }
    }

    private func start(_ worker: sending Worker, _ index: Int) throws(ServerError) {
        do throws(SystemError) {
            try Thread.start(name: "worker-\(index)") { [self] in
                worker.run()
                running.subtract(1, ordering: .releasing)
                finished.wakeup.wake()
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

    /// Seals and opens session tickets by other keys from each worker's next event on.
    public func replace(_ ticketKeys: TicketKeys) {
        for mailbox in mailboxes { mailbox.post(.ticketKeys(ticketKeys)) }
    }

    /// Goes on serving, and ends each connection with its next answer.
    public func partWithClients() {
        for mailbox in mailboxes { mailbox.post(.partWithClients) }
    }

    /// Stops accepting, lets what was begun end, and ends the workers by the configured deadline at the latest.
    public func drain() {
        let deadline = Clock.monotonicMilliseconds + configuration.drainDeadline
        for mailbox in mailboxes { mailbox.post(.drain(deadline: deadline)) }
    }
}
