internal import HTTP
internal import System
internal import TLS

/// One accepted connection; it belongs to one worker for its life.
final class Connection {
    let descriptor: Descriptor
    let token: UInt64
    @exclusivity(unchecked) var facts: ConnectionFacts
    /// Whom it counts for among the connections of an address; nil for nobody.
    var countedPeer: SocketAddress?
    @exclusivity(unchecked) var session: TLSSession?
    @exclusivity(unchecked) var state: ConnectionState
    @exclusivity(unchecked) var decoder: RequestDecoder
    /// Bytes of a request that is not yet whole; nothing is kept between requests.
    @exclusivity(unchecked) var input: [UInt8] = []
    /// When the first of these bytes was read, in nanoseconds of the monotonic clock.
    @exclusivity(unchecked) var began = 0
    /// Bytes of answers that the socket did not take yet, from `sent` on.
    @exclusivity(unchecked) var output: [UInt8] = []
    @exclusivity(unchecked) var sent = 0
    @exclusivity(unchecked) var interest = Poller.Interest.read
    /// Requests answered, and how many of them the deadline already knows of.
    @exclusivity(unchecked) var requests = 0
    @exclusivity(unchecked) var settledRequests = 0
    /// Whether the TLS handshake, or the PROXY header before it or before the first request, has not ended; it holds a
    /// place among those in flight until then.
    var isHandshaking: Bool
    /// Whether the PROXY header has not come whole; its bytes gather in `input`.
    var awaitsProxyHeader: Bool
    var sawFirstByte = false
    var peerEndedTLS = false
    /// Bytes of TLS that brought too few bytes of requests.
    @exclusivity(unchecked) var barrenBytes = 0
    /// How many of the bytes that it keeps are counted among all that are kept.
    @exclusivity(unchecked) var countedBytes = 0
    /// Set once nothing more is answered: the reason to close for when the output has left.
    @exclusivity(unchecked) var ending: CloseReason?

    /// Set once it is closed and counted out; an event that closes it may still be under way.
    @exclusivity(unchecked) var isClosed = false

    var hasOutput: Bool { sent < output.count }
    /// Bytes of memory that it keeps between two events.
    ///
    /// The decoder keeps none without input, and most have none: it need not be asked.
    var keptBytes: Int { (input.isEmpty ? 0 : input.count + decoder.keptBytes) + output.count + sessionBytes }
    /// The same of the session, beside what every handshake takes.
    private var sessionBytes: Int {
        guard session != nil else { return 0 }
        let record = !isHandshaking && session?.keepsPartOfRecord == true ? TLSSession.recordBuffer : 0
        return record + (session?.keepsPartOfMessage == true ? barrenBytes : 0)
    }
    /// Whether something may have begun of which not a byte can be read yet.
    var hasBegunUnseen: Bool {
        !isHandshaking && (session?.keepsPartOfRecord == true || session?.keepsPartOfMessage == true)
    }
    /// Whether nothing of a request has come but the empty line that may stand before one (RFC 9112 §2.2).
    var isBetweenRequests: Bool { input.isEmpty || input.count <= 2 && "\r\n".utf8.starts(with: input) }

    init(
        descriptor: consuming Descriptor,
        token: UInt64,
        facts: consuming ConnectionFacts,
        session: consuming TLSSession?,
        limits: RequestLimits,
        awaitsProxyHeader: Bool = false
    ) {
        self.descriptor = descriptor
        self.token = token
        self.facts = facts
        self.awaitsProxyHeader = awaitsProxyHeader
        isHandshaking = session != nil || awaitsProxyHeader
        state = ConnectionState(usesTLS: isHandshaking)
        self.session = session
        decoder = RequestDecoder(limits: limits)
    }
}

/// The connections of a worker, found by a token that no later connection ever has.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private var generations: [UInt32] = []
    private var free: [Int] = []
    private(set) var count = 0

    /// The token of the next connection: its slot, and how often that slot was used before.
    mutating func reserve() -> UInt64 {
        let slot = free.popLast() ?? slots.count
        if slot == slots.count {
            slots.append(nil)
            generations.append(0)
        }
        return UInt64(generations[slot]) << 32 | UInt64(slot)
    }

    mutating func insert(_ connection: Connection) {
        slots[Self.slot(connection.token)] = connection
        count += 1
    }

    /// Gives a slot back; its token is never used again.
    mutating func release(_ token: UInt64) {
        let slot = Self.slot(token)
        if slots[slot] != nil { count -= 1 }
        slots[slot] = nil
        generations[slot] &+= 1
        free.append(slot)
    }

    /// The connection of a token; nil once it is closed.
    func connection(_ token: UInt64) -> Connection? {
        let slot = Self.slot(token)
        guard slot < slots.count, let connection = slots[slot], connection.token == token else { return nil }
        return connection
    }

    func connection(slot: Int) -> Connection? { slots[slot] }

    var all: [Connection] { slots.compactMap(\.self) }

    static func slot(_ token: UInt64) -> Int { Int(token & 0xFFFF_FFFF) }
}
