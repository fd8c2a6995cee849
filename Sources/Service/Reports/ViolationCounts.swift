internal import Synchronization

/// How often policies were violated since the process began; read by any thread at any time.
final class ViolationCounts: Sendable {
    /// What is counted together.
    struct Key: Hashable, Sendable {
        let tenant: String
        let bridge: String
        let directive: ReportedDirective
        /// Whether the policy was only tried.
        let isTrial: Bool
    }

    private let counts = Mutex<[Key: Int]>([:])

    func count(_ violations: [Violation]) {
        counts.withLock { counts in
            for violation in violations {
                let report = violation.report
                let key = Key(
                    tenant: violation.tenant,
                    bridge: violation.bridge,
                    directive: report.directive,
                    isTrial: report.isTrial
                )
                counts[key, default: 0] += 1
            }
        }
    }

    /// All counts as they are now, sorted by tenant, bridge and directive.
    var snapshot: [(key: Key, count: Int)] {
        counts.withLock { $0 }.map { (key: $0.key, count: $0.value) }.sorted { $0.key.order < $1.key.order }
    }
}

extension ViolationCounts.Key {
    fileprivate var order: (String, String, String, Int) { (tenant, bridge, directive.rawValue, isTrial ? 1 : 0) }
}
