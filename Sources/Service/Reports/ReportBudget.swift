internal import System

/// How many contents are read, from one address and in all: more are taken, and not looked at.
///
/// That bounds the time that a flood takes.
struct ReportBudget: Sendable {
    static let perAddress = Rate.perSecond(100)
    static let inAll = Rate.perSecond(400)

    private let addresses = AddressBuckets()
    private let all = Bucket()

    /// Takes one of what is left to an address at that time of the monotonic clock, in milliseconds; false if nothing is.
    func take(for peer: SocketAddress, now: Int) -> Bool {
        addresses.take(Self.perAddress, peer, now: now) && all.take(Self.inAll, now: now)
    }
}
