internal import HTTP
internal import Synchronization
internal import System

/// How many connections there are in the process, in all and from each address, counted without locks.
public final class ConnectionLimits: @unchecked Sendable {
    /// How many there may be.
    public struct Values: Sendable, Equatable {
        /// In all.
        public var connections = 20_000
        /// From one address; thousands of phones may share one.
        public var connectionsPerAddress = 4_000
        /// In the middle of a handshake.
        public var handshakes = 2_000

        /// The defaults.
        public init() {}
    }

    private static let slots = 4_096
    private let values: Values
    private let connections = Atomic<Int>(0)
    private let handshakes = Atomic<Int>(0)
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
    func enter(_ peer: SocketAddress, usesTLS: Bool) -> CloseReason? {
        guard connections.add(1, ordering: .relaxed).newValue <= values.connections else {
            connections.subtract(1, ordering: .relaxed)
            return .tooManyConnections
        }
        if usesTLS, handshakes.add(1, ordering: .relaxed).newValue > values.handshakes {
            handshakes.subtract(1, ordering: .relaxed)
            connections.subtract(1, ordering: .relaxed)
            return .tooManyConnections
        }
        guard perAddress[slot(peer)].add(1, ordering: .relaxed).newValue <= values.connectionsPerAddress else {
            leave(peer, duringHandshake: usesTLS)
            return .tooManyFromAddress
        }
        return nil
    }

    /// Counts a handshake as done.
    func endHandshake() {
        handshakes.subtract(1, ordering: .relaxed)
    }

    /// Counts a connection out.
    func leave(_ peer: SocketAddress, duringHandshake: Bool) {
        connections.subtract(1, ordering: .relaxed)
        if duringHandshake { handshakes.subtract(1, ordering: .relaxed) }
        perAddress[slot(peer)].subtract(1, ordering: .relaxed)
    }

    /// How many there are.
    public var current: Int { connections.load(ordering: .relaxed) }

    /// FNV-1a over the address, begun at the seed.
    private func slot(_ peer: SocketAddress) -> Int {
        var hash = seed
        for byte in peer.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash >> 32) & (Self.slots - 1)
    }
}
