/// Decides when changes that come one after another are looked at: once it is quiet, and in any case after some time.
///
/// Times are milliseconds of a clock that never jumps.
struct Debouncer {
    /// How long after the last change.
    static let quiet = 200
    /// How long after the first one at the latest.
    static let most = 2_000

    private var first: Int?
    private var last = 0

    /// When the changes so far are due; nil if there are none.
    var due: Int? { first.map { min(last + Self.quiet, $0 + Self.most) } }

    /// A change came.
    mutating func note(now: Int) {
        first = first ?? now
        last = now
    }

    /// The changes so far have been looked at.
    mutating func clear() { first = nil }
}
