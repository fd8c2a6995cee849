import Testing

@testable import Service

@Suite("The endpoint of reports")
struct ReportHandlerTests {
    private static let path = "/reports/acme/chatty"
    private static let report =
        #"{"csp-report":{"effective-directive":"img-src","blocked-uri":"https://evil.example/x"}}"#

    private func post(
        _ content: String,
        to path: String = path,
        host: String = "localhost",
        type: String? = "application/csp-report",
        at role: Role = .secure,
        of site: TestSite
    ) throws -> Answer {
        let label = type.map { "Content-Type: \($0)\r\n" } ?? ""
        let length = "Content-Length: \(content.utf8.count)\r\n"
        return try site.ask("POST \(path) HTTP/1.1\r\nHost: \(host)\r\n\(label)\(length)\r\n\(content)", at: role)
    }

    @Test(
        "takes a report of any kind of JSON, and answers 204 without content",
        arguments: [
            "application/csp-report", "application/reports+json", "application/json", "Application/CSP-Report", nil,
        ]
    )
    func takesReports(type: String?) throws {
        let site = try TestSite(TestFolder().load())
        let answer = try post(Self.report, type: type, of: site)
        #expect(answer.status == 204)
        #expect(answer.content.isEmpty)
        #expect(answer.values("content-security-policy").count == 1)
        let taken = site.reports.mailbox.take()
        #expect(taken.map(\.tenant) == ["acme"])
        #expect(taken.map(\.bridge) == ["chatty"])
        #expect(taken.map(\.report.blocked) == ["https://evil.example"])
    }

    @Test("is where a page's policy says, on the service's host and on a tenant's")
    func standsWhereThePolicyPoints() throws {
        let folder = try TestFolder()
        try folder.write("config/tenants/hosted.json", TestFolder.tenant("hosted", hosts: ["chat.hosted.example"]))
        let site = try TestSite(folder.load())
        for (page, host) in [("/acme/chatty.html", "localhost"), ("/chatty.html", "chat.hosted.example")] {
            let policy = try #require(site.get(page, host: host).value("content-security-policy"))
            let path = try #require(policy.firstMatch(of: /report-uri (\S+);/)).1
            #expect(try post(Self.report, to: String(path), host: host, of: site).status == 204)
            #expect(site.reports.mailbox.take().count == 1)
        }
        #expect(try post(Self.report, to: "/reports/hosted/chatty", of: site).status == 404)
        #expect(try post(Self.report, to: "/reports/acme/chatty", host: "chat.hosted.example", of: site).status == 404)
    }

    @Test("takes all that a page caused at once, of 64 KiB together")
    func takesBatches() throws {
        let site = try TestSite(TestFolder().load())
        let one =
            #"{"type":"csp-violation","body":{"effectiveDirective":"img-src","blockedURL":"inline","originalPolicy":"\#(String(repeating: "x", count: 3_000))"}}"#
        let batch = "[" + Array(repeating: one, count: 20).joined(separator: ",") + "]"
        #expect((60_000...65_536).contains(batch.utf8.count))
        #expect(try post(batch, type: "application/reports+json", of: site).status == 204)
        #expect(site.reports.mailbox.take().count == 20)
    }

    @Test("refuses what is no report, is too long, is empty, or is for no page")
    func refuses() throws {
        let site = try TestSite(TestFolder().load())
        #expect(try post("{}", of: site).status == 400)
        #expect(try post("", of: site).status == 400)
        for type in ["application/x-www-form-urlencoded", "text/plain", ""] {
            #expect(try post("a=b", type: type, of: site).status == 415)
            #expect(try post(Self.report, type: type, of: site).status == 415)
        }
        #expect(try post(String(repeating: " ", count: 64 << 10) + Self.report, of: site).status == 413)
        #expect(try post(Self.report, to: "/reports/nobody/chatty", of: site).status == 404)
        #expect(try post(Self.report, to: "/reports/acme/nothing", of: site).status == 404)
        #expect(try site.get(Self.path).status == 405)
        #expect(try site.get(Self.path).value("allow") == "POST, OPTIONS")
        #expect(site.reports.mailbox.take().isEmpty)
    }

    @Test("refuses reports in the clear where pages are redirected to https")
    func refusesInTheClear() throws {
        let site = try TestSite(TestFolder().load())
        #expect(try post(Self.report, at: .redirect, of: site).status == 403)
        #expect(try post(Self.report, at: .plain, of: site).status == 204)
    }

    @Test("takes what exceeds the budget without reading it")
    func doesNotReadAFlood() throws {
        let site = try TestSite(TestFolder().load())
        for _ in 0..<(2 * ReportBudget.perAddress.burst) { _ = try post(Self.report, of: site) }
        #expect(try post("garbage", of: site).status == 204)
        #expect(try post("garbage", type: "text/plain", of: site).status == 415)
        #expect(site.reports.mailbox.take().count == ReportBudget.perAddress.burst)
    }
}
