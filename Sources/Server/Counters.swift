public import HTTP
internal import Synchronization

/// What one worker counts; read by any thread at any time.
public final class Counters: Sendable {
    private let closes = InlineArray<16, Atomic<Int>> { _ in Atomic(0) }
    private let acceptedCount = Atomic<Int>(0)
    private let requestCount = Atomic<Int>(0)

    func countClose(_ reason: CloseReason) {
        closes[Int(reason.rawValue)].add(1, ordering: .relaxed)
    }

    func countAccepted() {
        acceptedCount.add(1, ordering: .relaxed)
    }

    func countRequest() {
        requestCount.add(1, ordering: .relaxed)
    }

    /// Connections that ended for a reason.
    public func closes(_ reason: CloseReason) -> Int {
        closes[Int(reason.rawValue)].load(ordering: .relaxed)
    }

    /// Connections that were accepted.
    public var accepted: Int { acceptedCount.load(ordering: .relaxed) }

    /// Requests that were answered.
    public var requests: Int { requestCount.load(ordering: .relaxed) }
}
