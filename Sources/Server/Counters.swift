public import HTTP
internal import Synchronization
public import TLS

/// What one worker counts; its thread alone counts, any may read at any time.
public final class Counters: Sendable {
    /// Something that is counted, besides the ends of connections and answers.
    public enum Event: Int, CaseIterable, Sendable {
        /// A connection was accepted.
        case accepted
        /// A connection was lost before it was accepted.
        case acceptAborted
        /// Accepting failed for want of descriptors or memory, and rests.
        case acceptPaused
        /// A wait for events failed, and was repeated.
        case pollFailed
        /// Bytes were received.
        case bytesReceived
        /// Bytes were sent.
        case bytesSent
    }

    /// Answers by label.
    public let requests = RequestCounts()
    /// How long answers took, by listener.
    public let durations: [Durations]
    private let closes = InlineArray<24, Atomic<Int>> { _ in Atomic(0) }
    private let events = InlineArray<6, Atomic<Int>> { _ in Atomic(0) }
    private let waiting = InlineArray<6, Atomic<Int>> { _ in Atomic(0) }
    private let handshakes = InlineArray<4, Atomic<Int>> { _ in Atomic(0) }

    init(listeners: Int) {
        durations = (0..<listeners).map { _ in Durations() }
    }

    func count(_ event: Event, _ amount: Int = 1) {
        events[event.rawValue].increase(by: amount)
    }

    func countClose(_ reason: CloseReason) {
        closes[Int(reason.rawValue)].increase(by: 1)
    }

    func countHandshake(_ version: TLSVersion, isResumed: Bool) {
        handshakes[Self.place(version, isResumed)].increase(by: 1)
    }

    /// Counts a connection out of what it waited for and into what it waits for now; nil is before and after its life.
    func countWaiting(from old: Deadline?, to new: Deadline?) {
        if let old { waiting[Int(old.rawValue)].increase(by: -1) }
        if let new { waiting[Int(new.rawValue)].increase(by: 1) }
    }

    /// Connections that ended for a reason.
    public func closes(_ reason: CloseReason) -> Int {
        closes[Int(reason.rawValue)].load(ordering: .relaxed)
    }

    /// How often something happened.
    public subscript(_ event: Event) -> Int { events[event.rawValue].load(ordering: .relaxed) }

    /// Connections that wait for something now.
    public func waiting(for deadline: Deadline) -> Int { waiting[Int(deadline.rawValue)].load(ordering: .relaxed) }

    /// TLS handshakes that ended well.
    public func handshakes(_ version: TLSVersion, isResumed: Bool) -> Int {
        handshakes[Self.place(version, isResumed)].load(ordering: .relaxed)
    }

    private static func place(_ version: TLSVersion, _ isResumed: Bool) -> Int {
        (version == .tls13 ? 2 : 0) + (isResumed ? 1 : 0)
    }
}
