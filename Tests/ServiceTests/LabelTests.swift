import HTTP
import Server
import System
import Testing

@testable import Service

@Suite("What answers are counted under")
struct LabelTests {
    /// The label that a site gives to the answer to a request.
    private func label(_ site: TestSite, _ path: String, host: String = "localhost", method: String = "GET") throws
        -> String
    {
        let bytes = Array("\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: 0\r\n\r\n".utf8)
        var head = RequestHead()
        var decoder = RequestDecoder(limits: RequestLimits())
        guard case .request(_, let content) = decoder.next(bytes.span, into: &head) else { return "rejected" }
        var writer = ResponseWriter(date: HTTPDate.format(0))
        let peer = try #require(SocketAddress(literal: "127.0.0.1", port: 1))
        let facts = ConnectionFacts(listener: 0, peer: peer)
        site.site.respond(to: head, bytes.span, content: content, on: facts, into: &writer)
        let label = site.labels.all[writer.label]
        return "\(label.tenant) \(label.bridge)"
    }

    @Test("is the tenant's bridge, the tenant, or nobody")
    func names() throws {
        let folder = try SigningFolder.make()
        let site = try TestSite(folder.load())
        let api = "/api/v1/tenants"
        for (path, host, expected) in [
            ("/acme/chatty.html", "localhost", "acme chatty"), ("/chatty.html", "chat.hosted.example", "hosted chatty"),
            ("\(api)/acme/bridges/signer", "localhost", "acme signer"),
            ("\(api)/acme/bridges", "localhost", "acme none"),
            ("/api/v1/bridges/chatty", "chat.hosted.example", "hosted chatty"),
            ("/api/v1/openapi.json", "localhost", "none none"),
            ("/api/v1/openapi.json", "chat.hosted.example", "hosted none"),
            ("/nothing", "localhost", "none none"), ("/nothing", "chat.hosted.example", "hosted none"),
            ("/acme/chatty.html", "other.example", "none none"), ("/acme/%zz", "localhost", "none none"),
        ] {
            #expect(try label(site, path, host: host) == expected, "\(host)\(path)")
        }
        for (path, expected) in [
            ("\(api)/acme/bridges/signer/identity", "acme signer"), ("\(api)/acme/bridges/no/identity", "acme none"),
            ("\(api)/nobody/bridges/no/identity", "none none"), ("/reports/acme/chatty", "acme chatty"),
        ] {
            #expect(try label(site, path, method: "POST") == expected, "\(path)")
        }
    }

    @Test("stays the same number through reloads, whoever comes and goes")
    func outlivesReloads() throws {
        let folder = try TestFolder()
        let labels = AnswerLabels()
        _ = try TestSite(folder.load(), labels: labels)
        let number = labels.number(tenant: "acme", bridge: "chatty")
        try folder.write("config/tenants/aaaa.json", TestFolder.tenant("aaaa"))
        let site = try TestSite(folder.load(), labels: labels)
        #expect(labels.number(tenant: "acme", bridge: "chatty") == number)
        #expect(try label(site, "/aaaa/chatty.html") == "aaaa chatty")
        let count = labels.all.count
        for index in 0..<1_000 {
            _ = try label(site, "/acme/x\(index)", host: index % 2 == 0 ? "localhost" : "h\(index)")
        }
        #expect(labels.all.count == count)
    }

    @Test("is nobody's for a tenant who is called so: no series comes twice")
    func survivesItsOwnName() throws {
        let labels = AnswerLabels()
        #expect(labels.number(tenant: "none") == 0)
        #expect(labels.number(tenant: "none", bridge: "none") == 0)
        #expect(labels.all.count == 1)
    }

    @Test("tells signed, refused and limited identities apart")
    func countsIdentities() throws {
        let folder = try SigningFolder.make()
        folder.files.settings.append("limits.identitiesPerSecondPerAddress=2")
        let site = try TestSite(folder.load())
        for _ in 0..<3 { _ = try site.sign(#"{"visitor":"a"}"#) }
        _ = try site.sign("no JSON", authorization: "Bearer wrong")
        let counts = site.labels.identities(tenant: "acme", bridge: "signer")
        #expect(IdentityCounts.Outcome.allCases.map { counts[$0] } == [2, 1, 1])
        _ = try site.sign("", at: "/api/v1/tenants/nobody/bridges/x/identity")
        #expect(site.labels.identities()[.refused] == 1)
    }
}

@Suite("What is counted of reports")
struct ReportOutcomeTests {
    @Test("is what was read, refused, and taken beyond the budget without a look")
    func counts() throws {
        let site = try TestSite(TestFolder().load())
        let report = #"{"csp-report":{"effective-directive":"img-src","blocked-uri":"data"}}"#
        for content in [report, "{"] + Array(repeating: report, count: ReportBudget.perAddress.burst) {
            let head = "POST /reports/acme/chatty HTTP/1.1\r\nHost: localhost\r\n"
            _ = try site.ask("\(head)Content-Length: \(content.utf8.count)\r\n\r\n\(content)")
        }
        let outcomes = site.reports.outcomes
        #expect(ReportOutcomes.Outcome.allCases.map { outcomes[$0] } == [ReportBudget.perAddress.burst - 1, 2, 1])
        #expect(site.reports.mailbox.dropped == 0)
    }

    @Test("is what did not fit into the mailbox")
    func countsDropped() throws {
        let mailbox = try ViolationMailbox()
        let report = ViolationReport(directive: .imgSrc, blocked: "data", isTrial: false)
        let violations = Array(repeating: Violation(tenant: "a", bridge: "b", report: report), count: 30)
        for _ in 0..<20 { mailbox.post(violations) }
        #expect(mailbox.dropped == 600 - ViolationMailbox.capacity)
    }
}
