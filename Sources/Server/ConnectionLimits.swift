internal import HTTP
internal import Synchronization
internal import System

/// How many connections there are in the process, in all and from each address, counted without locks.
public final class ConnectionLimits: @unchecked Sendable {
    /// How many there may be.
    public struct Values: Sendable, Equatable {
        /// In all.
        public var connections = 20_000
        /// From one address, or one /64 of IPv6; thousands of phones may share one.
        public var connectionsPerAddress = 4_000
        /// In the middle of a handshake.
        public var handshakes = 2_000
        /// Bytes that they keep together: answers that peers have not read, and requests that have not come whole.
        public var keptBytes = 64 << 20

        /// The defaults.
        public init() {}

        /// The same where the process may have no more than so many connections.
        ///
        /// Neither one address nor those that have not ended their handshake may then take all there are.
        public func fitting(_ room: Int) -> Values {
            guard connections > room else { return self }
            var fitting = self
            fitting.connections = room
            fitting.connectionsPerAddress = min(connectionsPerAddress, max(1, room / 2))
            fitting.handshakes = min(handshakes, max(1, room / 2))
            return fitting
        }
    }

    private static let slots = 4_096
    private let values: Values
    private let connections = Atomic<Int>(0)
    private let handshakes = Atomic<Int>(0)
    private let kept = Atomic<Int>(0)
    // Addresses that fall into one slot are counted together; the seed keeps that from being arranged. The memory is
    // fixed and its atomics are safe on any thread, which is what the class may claim to be sendable for.
    private let perAddress: UnsafeMutablePointer<Atomic<Int>>
    private let seed = UInt64.random(in: .min ... .max)

    init(_ values: Values) {
        self.values = values
        perAddress = .allocate(capacity: Self.slots)
        for slot in 0..<Self.slots { (perAddress + slot).initialize(to: Atomic(0)) }
    }

    deinit {
        perAddress.deinitialize(count: Self.slots)
        perAddress.deallocate()
    }

    /// Counts a connection in; the reason if there is no place for it.
    ///
    /// What is not limited always has one.
    ///
    /// - Parameter peer: whose connection it is; nil if that is not known yet, or nobody's.
    func enter(_ peer: SocketAddress?, usesTLS: Bool, isLimited: Bool = true) -> CloseReason? {
        let all = connections.add(1, ordering: .relaxed).newValue
        let own = peer.map { perAddress[slot($0)].add(1, ordering: .relaxed).newValue } ?? 0
        let begun = usesTLS ? handshakes.add(1, ordering: .relaxed).newValue : 0
        guard isLimited else { return nil }
        // The address first: who has too many must not cost others their place.
        let reason: CloseReason? =
            if own > values.connectionsPerAddress {
                .tooManyFromAddress
            } else if all > values.connections {
                .tooManyConnections
            } else {
                begun > values.handshakes ? .tooManyHandshakes : nil
            }
        if reason != nil { leave(peer, duringHandshake: usesTLS) }
        return reason
    }

    /// Counts a handshake as done.
    func endHandshake() {
        handshakes.subtract(1, ordering: .relaxed)
    }

    /// Counts a connection out, of the address that it was counted in for.
    func leave(_ peer: SocketAddress?, duringHandshake: Bool) {
        connections.subtract(1, ordering: .relaxed)
        if duringHandshake { handshakes.subtract(1, ordering: .relaxed) }
        if let peer { perAddress[slot(peer)].subtract(1, ordering: .relaxed) }
    }

    /// Counts a connection in for an address that became known later; false, and not counted, if that has too many.
    func assign(to peer: SocketAddress, isLimited: Bool) -> Bool {
        let slot = slot(peer)
        let own = perAddress[slot].add(1, ordering: .relaxed).newValue
        guard isLimited, own > values.connectionsPerAddress else { return true }
        perAddress[slot].subtract(1, ordering: .relaxed)
        return false
    }

    /// Counts bytes that a connection keeps more than before, or fewer if negative.
    func keep(_ more: Int) {
        kept.add(more, ordering: .relaxed)
    }

    /// Whether so much is kept that nobody should get more than one answer ahead of reading.
    var isKeptScarce: Bool { currentKept > values.keptBytes / 2 }

    /// Whether more is kept than may be.
    var keepsTooMuch: Bool { currentKept > values.keptBytes }

    /// How many there are.
    public var current: Int { connections.load(ordering: .relaxed) }

    /// How many handshakes there are in flight.
    public var currentHandshakes: Int { handshakes.load(ordering: .relaxed) }

    /// How many bytes they keep.
    public var currentKept: Int { kept.load(ordering: .relaxed) }

    /// FNV-1a over the client's network, begun at the seed.
    private func slot(_ peer: SocketAddress) -> Int {
        var hash = seed
        for byte in peer.network { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash >> 32) & (Self.slots - 1)
    }
}
