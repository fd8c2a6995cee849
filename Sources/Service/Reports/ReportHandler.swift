internal import Bridges
internal import HTTP
internal import Server
internal import System

/// What all reports go through, whichever catalog is served: it outlives reloads.
final class ReportCollector: Sendable {
    let budget = ReportBudget()
    let mailbox: ViolationMailbox
    let counts = ViolationCounts()
    let outcomes = ReportOutcomes()
    /// Milliseconds of a clock that never jumps.
    let clock: @Sendable () -> Int

    init(clock: @escaping @Sendable () -> Int = { Clock.monotonicMilliseconds }) throws(SystemError) {
        mailbox = try ViolationMailbox()
        self.clock = clock
    }

    /// The clock's second.
    var second: Int { clock() / 1_000 }

    /// What takes the reports about a page.
    func handler(tenant: String, bridge: String, page: Page) -> ReportHandler {
        ReportHandler(tenant: tenant, bridge: bridge, trialPolicy: page.reportOnlyPolicy, collector: self)
    }
}

/// Takes the reports of one page's policy violations.
struct ReportHandler: Handler {
    /// Longer contents are refused.
    ///
    /// A report has some 2 KB, with the whole policy in it, and an engine may send all that a page caused at once.
    static let mostBytes = 64 << 10

    let tenant: String
    let bridge: String
    /// The policy that is only tried, if there is one.
    let trialPolicy: String?
    let collector: ReportCollector

    func respond(
        to head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        content: Content,
        on connection: borrowing ConnectionFacts,
        isSecure: Bool,
        into writer: inout ResponseWriter
    ) -> ProblemDetail? {
        do throws(ProblemDetail) {
            collector.outcomes.count(try take(head, bytes, content, connection))
            writer.write(.noContent, fields: Self.fields(isSecure: isSecure), content: nil)
            return nil
        } catch {
            collector.outcomes.count(.refused)
            return error
        }
    }

    private func take(
        _ head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        _ content: Content,
        _ connection: borrowing ConnectionFacts
    ) throws(ProblemDetail) -> ReportOutcomes.Outcome {
        if content.length > Self.mostBytes { throw .contentTooLarge }
        if content.length == 0 { throw .malformedReport }
        // Judged before the budget, or it would be luck what becomes of something else.
        guard Self.isLabelledJSON(head, bytes) else { throw .unsupportedMediaType }
        let client = connection.source(of: head, bytes).client
        guard collector.budget.take(for: client, now: collector.clock()) else { return .unread }
        let content = content.bytes(in: bytes)
        guard let reports = ViolationReport.read(content, trialPolicy: trialPolicy) else { throw .malformedReport }
        if !reports.isEmpty { collector.mailbox.post(reports.map(violation)) }
        return .read
    }

    private func violation(_ report: ViolationReport) -> Violation {
        Violation(tenant: tenant, bridge: bridge, report: report)
    }

    private static func fields(isSecure: Bool) -> [(name: String, value: String)] {
        [(name: "Cache-Control", value: "no-store")] + SecurityFields.ofData(isSecure: isSecure)
    }

    /// Engines differ in what they call a report, so any kind of JSON will do, and one that has no name.
    private static func isLabelledJSON(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> Bool {
        guard let range = head.value(of: .contentType) else { return true }
        let type = String(decoding: bytes.array(range), as: UTF8.self).lowercased()
        return type.contains("json") || type.hasPrefix("application/csp-report")
    }
}
