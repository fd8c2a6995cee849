internal import Synchronization
internal import System

/// How many contents are read in a second, from one address and in all: more are taken, and not looked at.
///
/// Counting is not exact where two workers meet, and addresses that share a slot share its budget; neither matters to
/// what it is for, to bound the time that a flood takes.
final class ReportBudget: Sendable {
    static let perAddress = 100
    static let inAll = 400

    private static let slotCount = 256
    /// For each address the second, and how many in it; the last slot is that of all.
    private let slots = InlineArray<257, Atomic<Int>> { _ in Atomic(0) }
    private static let countBits = 20

    /// Takes one of what is left to an address; false if nothing is.
    func take(for peer: SocketAddress, second: Int) -> Bool {
        take(slot(of: peer), second: second, limit: Self.perAddress)
            && take(Self.slotCount, second: second, limit: Self.inAll)
    }

    private func take(_ slot: Int, second: Int, limit: Int) -> Bool {
        let value = slots[slot].load(ordering: .relaxed)
        guard value >> Self.countBits == second else {
            slots[slot].store(second << Self.countBits | 1, ordering: .relaxed)
            return true
        }
        guard value & (1 << Self.countBits - 1) < limit else { return false }
        slots[slot].add(1, ordering: .relaxed)
        return true
    }

    /// An IPv6 client has a network of its own, of 64 bits.
    ///
    /// Swift's hashes have a seed of the process, so nobody can choose whom to share with.
    private func slot(of peer: SocketAddress) -> Int {
        peer.bytes.prefix(8).hashValue & (Self.slotCount - 1)
    }
}
