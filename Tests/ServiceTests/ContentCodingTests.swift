import Testing

@testable import Service

@Suite("Content with a coding")
struct ContentCodingTests {
    private static let report =
        #"{"csp-report":{"effective-directive":"img-src","blocked-uri":"https://evil.example/x"}}"#

    @Test(
        "is refused with what is taken instead, whoever sends it",
        arguments: [
            "gzip", "x-gzip", "foo", "br, identity", "identity, gzip", "identity\r\nContent-Encoding: gzip", "*",
        ]
    )
    func refuses(coding: String) throws {
        let site = try TestSite(SigningFolder.make().load())
        let fields = "Content-Encoding: \(coding)\r\n"
        let answers = [
            try site.sign(#"{"visitor":"a"}"#, fields: fields), try report(to: site, fields: fields),
            try site.sign(#"{"visitor":"a"}"#, at: "/api/v1/tenants/x/bridges/y/identity", fields: fields),
        ]
        for answer in answers {
            #expect(answer.status == 415)
            #expect(answer.values("accept-encoding") == ["identity"])
            #expect(answer.text.contains("without a content coding"))
        }
        #expect(site.reports.mailbox.take().isEmpty)
    }

    @Test("of none is taken", arguments: ["identity", "Identity", "", ",", "identity, identity"])
    func takes(coding: String) throws {
        let site = try TestSite(SigningFolder.make().load())
        let fields = "Content-Encoding: \(coding)\r\n"
        #expect(try site.sign(#"{"visitor":"a"}"#, fields: fields).status == 200)
        #expect(try report(to: site, fields: fields).status == 204)
    }

    @Test("is not what another media type is refused for")
    func tellsTypesApart() throws {
        let site = try TestSite(SigningFolder.make().load())
        let answer = try site.sign(#"{"visitor":"a"}"#, type: "text/plain")
        #expect(answer.status == 415)
        #expect(answer.values("accept-encoding").isEmpty)
    }

    private func report(to site: TestSite, fields: String) throws -> Answer {
        let length = "Content-Length: \(Self.report.utf8.count)\r\n"
        let head = "POST /reports/acme/chatty HTTP/1.1\r\nHost: localhost\r\n\(fields)\(length)\r\n"
        return try site.ask(head + Self.report)
    }
}
