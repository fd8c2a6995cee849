/// Chooses which violations are told: each once, so many a second, and so many different ones; the main thread's alone.
struct ViolationLog {
    /// Different violations that are told of one tenant; a page that is abused must not fill the log.
    static let mostOfTenant = 100
    /// The same of all tenants.
    static let most = 10_000
    static let linesPerSecond = 20

    private var told: Set<Violation> = []
    private var toldOfTenant: [String: Int] = [:]
    private var second = Int.min
    private var linesInSecond = 0

    /// The lines for violations that came now; what is not told for lack of time is told when it comes again.
    mutating func lines(for violations: [Violation], second now: Int) -> [String] {
        if now != second { (second, linesInSecond) = (now, 0) }
        return violations.compactMap { line(for: $0) }
    }

    /// Tells everything anew: after a reload other policies hold.
    mutating func forget() {
        told = []
        toldOfTenant = [:]
    }

    private mutating func line(for violation: Violation) -> String? {
        let count = toldOfTenant[violation.tenant, default: 0]
        guard linesInSecond < Self.linesPerSecond, told.count < Self.most, count <= Self.mostOfTenant,
            told.insert(violation).inserted
        else { return nil }
        linesInSecond += 1
        toldOfTenant[violation.tenant] = count + 1
        return count < Self.mostOfTenant
            ? violation.line
            : "policy violation: \(violation.tenant) has more than \(count) kinds; others are only counted"
    }
}

extension Violation {
    fileprivate var line: String {
        let verb = report.isTrial ? "would block" : "blocked"
        return "policy violation: \(tenant) \(bridge): \(report.directive.rawValue) \(verb) \(report.blocked)"
    }
}
