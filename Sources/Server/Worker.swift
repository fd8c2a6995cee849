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
    /// Bytes that a TLS client may send without one byte of a request; a hello has 2 KiB at most in practice.
    static let barrenLimit = 64 << 10
    static let acceptBatch = 64
    /// The most that a listener's queue holds.
    static let backlog = 4_096
    /// How long accepting rests when the process is out of descriptors.
    static let acceptPause = 100
    /// How long a drain waits for the first request of a connection that has made none.
    static let drainGrace = 1_000

    private static let mailboxToken = UInt64.max
    private static let firstListenerToken = UInt64.max - 256

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

// MARK: - Accepting

extension Worker {
    /// How far a batch of accepts got.
    enum Accepting {
        /// Nobody waits any more.
        case allTaken
        /// More may wait.
        case batchTaken
        /// It rests for a while, and somebody may wait.
        case paused
    }

    /// Accepts what waits; no more than a queue holds, since others may come as fast as they are taken.
    ///
    /// - Returns: whether nobody waits any more.
    func acceptAll(from open: OpenListener) -> Bool {
        for _ in 0..<(Self.backlog / Self.acceptBatch) {
            switch accept(from: open) {
            case .allTaken: return true
            case .batchTaken: continue
            case .paused: return false
            }
        }
        return false
    }

    @discardableResult
    private func accept(from open: OpenListener) -> Accepting {
        guard acceptsAgain == nil else { return .paused }
        var aborted = 0
        for _ in 0..<Self.acceptBatch {
            switch open.listener.accept() {
            case .connection(let descriptor, let peer): admit(descriptor, peer, open)
            case .none: return .allTaken
            case .aborted:
                counters.count(.acceptAborted)
                aborted += 1
            case .failed:
                pauseAccepting()
                return .paused
            }
        }
        guard aborted < Self.acceptBatch else {
            pauseAccepting()
            return .paused
        }
        return .batchTaken
    }

    private func admit(_ descriptor: consuming Descriptor, _ peer: SocketAddress, _ open: OpenListener) {
        counters.count(.accepted)
        let facts = ConnectionFacts(listener: open.index, peer: peer, proxies: configuration.trustedProxies)
        let countedPeer = facts.isFromTrustedProxy ? nil : peer
        if let reason = refusal(of: facts, open) ?? enter(countedPeer, open) {
            counters.countClose(reason)
            return
        }
        let token = connections.reserve()
        do {
            let connection = Connection(
                descriptor: descriptor,
                token: token,
                facts: facts,
                session: try makeSession(open),
                limits: configuration.requestLimits,
                awaitsProxyHeader: open.takesProxyHeader
            )
            connection.countedPeer = countedPeer
            try poller.add(connection.descriptor, for: .read, token: token)
            connections.insert(connection)
            deadlines.arm(ConnectionTable.slot(token), connection.state.deadline, now: now)
            counters.countWaiting(from: nil, to: connection.state.deadline)
        } catch {
            connections.release(token)
            limits.leave(countedPeer, duringHandshake: open.hasHandshake)
            counters.countClose(.failed)
        }
    }

    /// Counts a connection in.
    ///
    /// When the process is full, one of this worker's that only waits makes room: the oldest handshake for another; for
    /// any the longest idle, else who has begun something and not gone on for longest. So a crowd that does nothing, or
    /// next to nothing, keeps nobody out.
    private func enter(_ peer: SocketAddress?, _ open: OpenListener) -> CloseReason? {
        func enter() -> CloseReason? { limits.enter(peer, usesTLS: open.hasHandshake, isLimited: open.isLimited) }
        guard let reason = enter() else { return nil }
        let waiting: [Deadline] =
            switch reason {
            case .tooManyHandshakes: [.handshake]
            case .tooManyConnections: [.idle, .linger, .head, .handshake, .body]
            default: []
            }
        guard let slot = waiting.lazy.compactMap({ self.deadlines.oldest($0) }).first,
            let oldest = connections.connection(slot: slot)
        else { return reason }
        close(oldest, reason)
        return enter()
    }

    private func makeSession(_ open: OpenListener) throws(TLSError) -> TLSSession? {
        guard open.usesTLS else { return nil }
        guard let tlsContext else { throw .noCertificate }
        return try TLSSession(context: tlsContext, exchange: exchange)
    }

    /// Level-triggered polling would spin on a connection that can't be accepted.
    private func pauseAccepting() {
        counters.count(.acceptPaused)
        acceptsAgain = now + Self.acceptPause
        _ = waitOnListeners(for: [])
    }

    private func resumeAccepting() {
        guard let again = acceptsAgain, again <= now else { return }
        acceptsAgain = waitOnListeners(for: .read) ? nil : now + Self.acceptPause
    }

    /// Changes what all listeners are waited for; false if one is not.
    ///
    /// Taking them out and in would need memory just when there may be none.
    private func waitOnListeners(for interest: Poller.Interest) -> Bool {
        var isDone = true
        for (index, open) in listeners.enumerated() {
            let token = Self.firstListenerToken + UInt64(index)
            do { try poller.change(open.listener.descriptor, to: interest, token: token) } catch { isDone = false }
        }
        return isDone
    }
}
