/// The keys of session tickets: the first one seals, all open; shared by all workers, so a session resumes on any of them.
///
/// A context of before a reload has the keys of then for as long as one of its sessions lives; with the last one they are
/// erased, so a key that was dropped stays in memory no longer than the connections of its time.
public struct TicketKeys: Sendable {
    /// Seconds that a ticket is good for, which is also the hint that clients get.
    public static let lifetime = 12 * 3_600

    let keys: [TicketKey]

    /// Keys that others have too; of none there is no ticket.
    public init(_ keys: [TicketKey]) {
        self.keys = keys
    }

    /// One new random key.
    ///
    /// - Throws: ``TLSError/refused(setting:reason:)`` when there is no randomness.
    public static func random() throws(TLSError) -> TicketKeys {
        TicketKeys([try TicketKey.random()])
    }
}

/// Which ticket keys there are at a time: those of files, or own ones that are renewed by the clock.
///
/// An own key seals for one period and opens for one more. A ticket lives as long as a period: each is good for all the
/// time that its client was promised, and a key that is stolen from memory opens nothing older than two periods.
public struct TicketSchedule: Sendable {
    /// Milliseconds between two keys.
    public static let period = TicketKeys.lifetime * 1_000

    /// The keys now.
    public private(set) var keys: TicketKeys
    /// When ``renew(now:)`` makes another key, in milliseconds of the monotonic clock; nil for keys of files.
    public private(set) var due: Int?

    /// Keys that change only when another schedule takes this one's place.
    public init(keys: TicketKeys) {
        self.keys = keys
    }

    /// Own keys, from `now` on.
    ///
    /// - Throws: ``TLSError/refused(setting:reason:)`` when there is no randomness.
    public init(now: Int) throws(TLSError) {
        keys = try .random()
        due = now + Self.period
    }

    /// Makes a new key if it is time, and forgets those that have opened for a period.
    ///
    /// - Returns: whether the keys have changed.
    public mutating func renew(now: Int) throws(TLSError) -> Bool {
        guard let due, due <= now else { return false }
        // Before what may fail: a failure waits for the next time, too.
        self.due = now + Self.period
        let isLate = now - due >= Self.period
        keys = TicketKeys([try .random()] + (isLate ? [] : keys.keys.prefix(1)))
        return true
    }
}
