internal import Synchronization

/// Whom answers belong to, as small numbers that are counted under: a tenant's bridge, a tenant, or nobody.
///
/// The numbers outlive reloads, so that counters go on. Names come from the catalog alone, never from a request.
final class AnswerLabels: Sendable {
    /// Whom an answer belongs to.
    struct Label: Hashable, Sendable {
        var tenant = AnswerLabels.none
        var bridge = AnswerLabels.none
    }

    /// In the place of a tenant or a bridge that an answer does not belong to.
    static let none = "none"

    private struct Known {
        var labels = [Label()]
        var numbers = [Label(): 0]
        var identities: [Label: IdentityCounts] = [:]
    }

    private let known = Mutex(Known())

    /// The number of a label, which is made if it is new; for the loading thread, since it takes a lock.
    func number(tenant: String? = nil, bridge: String? = nil) -> Int {
        let label = Label(tenant: tenant ?? Self.none, bridge: bridge ?? Self.none)
        return known.withLock { known in
            if let number = known.numbers[label] { return number }
            known.numbers[label] = known.labels.count
            known.labels.append(label)
            return known.labels.count - 1
        }
    }

    /// What is counted of a label's identities; for the loading thread as well.
    func identities(tenant: String? = nil, bridge: String? = nil) -> IdentityCounts {
        let label = Label(tenant: tenant ?? Self.none, bridge: bridge ?? Self.none)
        return known.withLock { known in
            let counts = known.identities[label] ?? IdentityCounts()
            known.identities[label] = counts
            return counts
        }
    }

    /// All labels, each at the index that is its number.
    var all: [Label] { known.withLock { $0.labels } }

    /// All counts of identities, sorted by tenant and bridge.
    var allIdentities: [(label: Label, counts: IdentityCounts)] {
        known.withLock { $0.identities }.map { (label: $0.key, counts: $0.value) }
            .sorted { ($0.label.tenant, $0.label.bridge) < ($1.label.tenant, $1.label.bridge) }
    }
}

/// What became of the requests for one bridge's identities.
final class IdentityCounts: Sendable {
    /// How such a request ends.
    enum Outcome: String, CaseIterable {
        /// An id was signed.
        case signed
        /// It was refused: without a valid token, or for what it says.
        case refused
        /// There were too many.
        case limited

        init(_ problem: ProblemDetail?) {
            self =
                switch problem {
                case nil: .signed
                case .tooManyRequests, .tooManyFailures: .limited
                default: .refused
                }
        }
    }

    private let counts = InlineArray<3, Atomic<Int>> { _ in Atomic(0) }

    func count(_ outcome: Outcome) {
        counts[Self.place(outcome)].add(1, ordering: .relaxed)
    }

    subscript(_ outcome: Outcome) -> Int { counts[Self.place(outcome)].load(ordering: .relaxed) }

    private static func place(_ outcome: Outcome) -> Int {
        switch outcome {
        case .signed: 0
        case .refused: 1
        case .limited: 2
        }
    }
}
