internal import Synchronization

/// What became of the contents that were posted as reports; counted by any thread.
final class ReportOutcomes: Sendable {
    /// How a content ends.
    enum Outcome: Int, CaseIterable {
        /// It was read.
        case read
        /// It was taken and not looked at, since there were too many.
        case unread
        /// It was no report, or too long.
        case refused

        /// The outcome as the value of a label; a name once given stays.
        var label: String {
            switch self {
            case .read: "read"
            case .unread: "over_budget"
            case .refused: "refused"
            }
        }
    }

    private let counts = InlineArray<3, Atomic<Int>> { _ in Atomic(0) }

    func count(_ outcome: Outcome) {
        counts[outcome.rawValue].add(1, ordering: .relaxed)
    }

    subscript(_ outcome: Outcome) -> Int { counts[outcome.rawValue].load(ordering: .relaxed) }
}
