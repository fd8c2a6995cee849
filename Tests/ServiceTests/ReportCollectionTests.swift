import System
import Testing

@testable import Service

@Suite("The collection of reports")
struct ReportCollectionTests {
    private func violation(_ number: Int, of tenant: String = "acme") -> Violation {
        let report = ViolationReport(directive: .imgSrc, blocked: "https://h\(number).example", isTrial: false)
        return Violation(tenant: tenant, bridge: "parrot", report: report)
    }

    private func peer(_ literal: String) throws -> SocketAddress {
        try #require(SocketAddress(literal: literal, port: 1))
    }

    // MARK: Telling

    @Test("Each violation is told once until a reload")
    func tellsEachViolationOnceUntilAReload() {
        var log = ViolationLog()
        let line = "policy violation: acme parrot: img-src blocked https://h1.example"
        #expect(log.lines(for: [violation(1), violation(1)], second: 0) == [line])
        #expect(log.lines(for: [violation(1)], second: 9) == [])
        log.forget()
        #expect(log.lines(for: [violation(1)], second: 9) == [line])
    }

    @Test("A policy that is only tried is told to block nothing")
    func tellsThatATriedPolicyBlockedNothing() {
        let report = ViolationReport(directive: .imgSrc, blocked: "data", isTrial: true)
        var log = ViolationLog()
        let lines = log.lines(for: [Violation(tenant: "acme", bridge: "parrot", report: report)], second: 0)
        #expect(lines == ["policy violation: acme parrot: img-src would block data"])
    }

    @Test("A bounded number of lines is written in a second, and the others when they come again")
    func writesABoundedNumberOfLinesASecondAndTheOthersWhenTheyComeAgain() {
        var log = ViolationLog()
        let all = (0..<30).map { violation($0) }
        #expect(log.lines(for: all, second: 1).count == ViolationLog.linesPerSecond)
        #expect(log.lines(for: all, second: 1).isEmpty)
        #expect(log.lines(for: all, second: 2).count == 30 - ViolationLog.linesPerSecond)
    }

    @Test("A bounded number is told of one tenant, and that is said once")
    func tellsABoundedNumberOfATenantAndSaysSoOnce() {
        var log = ViolationLog()
        let lines = (0..<1_000).flatMap { log.lines(for: [violation($0)], second: $0) }
        #expect(lines.count == ViolationLog.mostOfTenant + 1)
        #expect(lines.last == "policy violation: acme has more than 100 kinds; others are only counted")
        #expect(log.lines(for: [violation(1, of: "other")], second: 5_000).count == 1)
    }

    @Test("A bounded number is told in all")
    func tellsABoundedNumberInAll() {
        var log = ViolationLog()
        var count = 0
        for number in 0..<(ViolationLog.most + 200) {
            count += log.lines(for: [violation(number, of: "t\(number)")], second: number).count
        }
        #expect(count == ViolationLog.most)
    }

    // MARK: Counting

    @Test("Violations are counted by tenant, bridge and directive")
    func countsByTenantBridgeAndDirective() {
        let counts = ViolationCounts()
        counts.count([violation(1), violation(2), violation(1, of: "other")])
        counts.count([violation(1)])
        #expect(
            counts.snapshot.map { "\($0.key.tenant) \($0.key.directive.rawValue) \($0.count)" } == [
                "acme img-src 3", "other img-src 1",
            ]
        )
    }

    @Test("Violations are metrics with tenant, bridge and directive")
    func writesMetrics() throws {
        let reports = try ReportCollector()
        reports.counts.count([violation(1), violation(2)])
        var writer = MetricsWriter()
        ReportMetrics(reports: reports).write(into: &writer)
        let labels = #"{tenant="acme",bridge="parrot",directive="img-src"}"#
        #expect(writer.text.contains("\nbridgehost_policy_violations_total\(labels) 2\n"))
        #expect(!writer.text.contains("bridgehost_tried_policy_violations_total{"))
    }

    @Test("The mailbox holds no more than fits")
    func holdsNoMoreThanFits() throws {
        let mailbox = try ViolationMailbox()
        for number in 0..<100 { mailbox.post((0..<20).map { violation(number * 20 + $0) }) }
        #expect(mailbox.take().count == ViolationMailbox.capacity)
        #expect(mailbox.take().isEmpty)
    }

    // MARK: Budget

    @Test("A bounded number is read of one address in a second")
    func readsABoundedNumberOfAnAddressInASecond() throws {
        let budget = ReportBudget()
        let (one, other) = (try peer("192.0.2.1"), try peer("192.0.2.2"))
        let taken = (0..<1_000).count { _ in budget.take(for: one, now: 7_000) }
        #expect(taken == ReportBudget.perAddress.burst)
        #expect(budget.take(for: other, now: 7_000))
        #expect(budget.take(for: one, now: 8_000))
    }

    @Test("A bounded number is read in all in a second")
    func readsABoundedNumberInAllInASecond() throws {
        let budget = ReportBudget()
        let peers = try (0..<200).map { try peer("192.0.2.\($0)") }
        let taken = (0..<20).reduce(0) { sum, _ in sum + peers.count { budget.take(for: $0, now: 7_000) } }
        #expect(taken == ReportBudget.inAll.burst)
    }

    @Test("The addresses of an IPv6 network are taken for one")
    func takesTheAddressesOfAnIPv6NetworkForOne() throws {
        let budget = ReportBudget()
        let peers = try (0..<1_000).map { try peer("2001:db8::\(String($0, radix: 16))") }
        #expect(peers.count { budget.take(for: $0, now: 7_000) } == ReportBudget.perAddress.burst)
    }
}
