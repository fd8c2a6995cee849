public import HTTP
internal import Synchronization

/// What one worker counts; read by any thread at any time.
public final class Counters: Sendable {
    /// Something that is counted, besides the ends of connections.
    public enum Event: Int, CaseIterable, Sendable {
        /// A connection was accepted.
        case accepted
        /// A request was answered.
        case answered
        /// A connection was lost before it was accepted.
        case acceptAborted
        /// Accepting failed for want of descriptors or memory, and rests.
        case acceptPaused
        /// A wait for events failed, and was repeated.
        case pollFailed
    }

    private let closes = InlineArray<24, Atomic<Int>> { _ in Atomic(0) }
    private let events = InlineArray<5, Atomic<Int>> { _ in Atomic(0) }

    init() {}

    func count(_ event: Event) {
        events[event.rawValue].add(1, ordering: .relaxed)
    }

    func countClose(_ reason: CloseReason) {
        closes[Int(reason.rawValue)].add(1, ordering: .relaxed)
    }

    /// Connections that ended for a reason.
    public func closes(_ reason: CloseReason) -> Int {
        closes[Int(reason.rawValue)].load(ordering: .relaxed)
    }

    /// How often something happened.
    public subscript(_ event: Event) -> Int { events[event.rawValue].load(ordering: .relaxed) }
}
