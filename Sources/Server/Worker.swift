internal import HTTP
internal import System
internal import TLS

/// One thread that serves: its own listeners, its own poller, and connections that never move to another.
///
/// Made by the thread that starts the server, then confined to its own.
final class Worker {
    /// Answers of one event beyond this many bytes wait until the socket has taken those before.
    static let outputLimit = 384 << 10
    /// The same while much is kept in the process.
    static let scarceOutputLimit = 8 << 10
    static let receiveCapacity = 32 << 10
    /// A record that was received before may complete with this event's bytes.
    static let plaintextCapacity = receiveCapacity + (32 << 10)
    /// Bytes that a TLS client may send beyond what its requests account for.
    static let barrenLimit = 64 << 10
    /// The same of a handshake, of which what has come is counted as kept.
    ///
    /// OpenSSL answers a hello of 128 KiB, and refuses a longer one with the right alert.
    static let handshakeLimit = 256 << 10
    static let acceptBatch = 64
    /// The most that a listener's queue holds.
    static let backlog = 4_096
    /// How long accepting rests when the process is out of descriptors.
    static let acceptPause = 100
    /// How long a drain waits for the first request of a connection that has made none.
    static let drainGrace = 1_000

    private static let mailboxToken = UInt64.max
    static let firstListenerToken = UInt64.max - 256

    let index: Int
    let configuration: ServerConfiguration
    let limits: ConnectionLimits
    let counters: Counters
    let mailbox: Mailbox
    /// Whether there are proxies to trust, so that nobody else's ids of requests are kept.
    let isBehindProxies: Bool
    /// Takes what is told of answers; nil if nobody reads it.
    let journal: Journal?
    var ticketKeys: TicketKeys
    let poller: Poller
    let exchange: Exchange
    var listeners: [OpenListener]
    // One thread has the worker, and none of these is changed while it is lent: checking that at run time took a
    // twentieth of a request.
    @exclusivity(unchecked) var responder: any Responder
    var tlsContext: TLSContext?
    @exclusivity(unchecked) var connections = ConnectionTable()
    @exclusivity(unchecked) var deadlines: DeadlineLists
    @exclusivity(unchecked) var head = RequestHead()
    @exclusivity(unchecked) var writer = ResponseWriter(date: HTTPDate.format(Clock.wallSeconds))
    @exclusivity(unchecked) var pieces: [UnsafeRawBufferPointer] = []
    @exclusivity(unchecked) var received = [UInt8](repeating: 0, count: receiveCapacity)
    @exclusivity(unchecked) var plaintext = [UInt8](repeating: 0, count: plaintextCapacity)
    @exclusivity(unchecked) var batch = RecordBatch()
    /// Milliseconds of the monotonic clock when the events came, and of UTC since 1970.
    @exclusivity(unchecked) var now = Clock.monotonicMilliseconds
    @exclusivity(unchecked) var wallTime = 0
    /// Nanoseconds of the monotonic clock, read when events came and again when answers left.
    @exclusivity(unchecked) var moment = 0
    /// When the first byte was read of the request that is answered next.
    @exclusivity(unchecked) var began = 0
    var acceptsAgain: Int?
    /// Whether every answer is the last one of its connection.
    @exclusivity(unchecked) var isParting = false
    var drain: Drain?
    private var dateSecond = 0

    init(
        index: Int,
        configuration: ServerConfiguration,
        content: ServerContent,
        listeners: [OpenListener],
        limits: ConnectionLimits,
        counters: Counters,
        mailbox: Mailbox,
        journal: Journal?,
        ticketKeys: TicketKeys
    ) throws(ServerError) {
        self.index = index
        self.configuration = configuration
        isBehindProxies = configuration.trustedProxies != nil
        self.listeners = listeners
        self.limits = limits
        self.counters = counters
        self.mailbox = mailbox
        self.journal = journal
        self.ticketKeys = ticketKeys
        responder = content.responder
        writer.id = RequestID(random: .random(in: .min ... .max))
        counters.requests.reserve(content.labels)
        deadlines = DeadlineLists(timeouts: configuration.timeouts)
        do throws(TLSError) {
            exchange = try Exchange()
            tlsContext = try content.certificates.map { certificates throws(TLSError) in
                try TLSContext(certificates: certificates, ticketKeys: ticketKeys)
            }
        } catch {
            throw .tls(error)
        }
        do throws(SystemError) {
            poller = try Poller()
            try poller.add(mailbox.wakeup.descriptor, for: .read, token: Self.mailboxToken)
            for (index, open) in listeners.enumerated() {
                try poller.add(open.listener.descriptor, for: .read, token: Self.firstListenerToken + UInt64(index))
            }
        } catch {
            throw .system(error)
        }
    }

    /// Serves until drained.
    func run() {
        while !isDrained {
            let count = poller.waitOrRest(timeout: timeout) { _ in counters.count(.pollFailed) }
            readClocks()
            for index in 0..<(count ?? 0) { dispatch(poller.event(index)) }
            expireDeadlines()
            resumeAccepting()
            // A wait that failed tells nothing of what has come in.
            if drain != nil { continueDrain(isQuiet: count == 0) }
        }
    }

    private func dispatch(_ event: Poller.Event) {
        if event.token == Self.mailboxToken {
            for message in mailbox.take() { obey(message) }
        } else if event.token >= Self.firstListenerToken {
            let index = Int(event.token - Self.firstListenerToken)
            if index < listeners.count { accept(from: listeners[index]) }
        } else if let connection = connections.connection(event.token) {
            handle(event, connection)
        }
    }

    private func obey(_ message: Message) {
        switch message {
        case .replace(let content):
            responder = content.responder
            counters.requests.reserve(content.labels)
            // A set that OpenSSL refuses was refused when it was read; the sessions that run keep theirs.
            if let certificates = content.certificates,
                let context = try? TLSContext(certificates: certificates, ticketKeys: ticketKeys)
            {
                tlsContext = context
            }
        case .ticketKeys(let keys):
            ticketKeys = keys
            tlsContext?.ticketKeys = keys
        case .partWithClients: isParting = true
        case .drain(let deadline):
            beginDrain(deadline: deadline)
        }
    }

    private var timeout: Int? {
        if let drain, !drain.isSwept { return 0 }
        var earliest = min(deadlines.next ?? .max, acceptsAgain ?? .max)
        if let drain { earliest = min(earliest, drain.grace, drain.deadline) }
        return earliest == .max ? nil : max(0, earliest - now)
    }

    private func readClocks() {
        moment = Clock.monotonicNanoseconds
        now = moment / 1_000_000
        wallTime = Clock.wallMilliseconds
        let second = wallTime / 1_000
        guard second != dateSecond else { return }
        dateSecond = second
        writer.date = HTTPDate.format(second)
    }

    private func expireDeadlines() {
        while let slot = deadlines.expired(now: now) {
            guard let connection = connections.connection(slot: slot) else { continue }
            switch connection.state.expiry {
            case .reject(let rejection, let reason):
                let input = connection.input
                reject(rejection, of: input.span, connection, for: reason)
            case .close(let reason): close(connection, reason)
            }
        }
    }
}
