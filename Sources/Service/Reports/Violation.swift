/// A report with the page that it is about.
struct Violation: Hashable, Sendable {
    let tenant: String
    let bridge: String
    let report: ViolationReport
}
