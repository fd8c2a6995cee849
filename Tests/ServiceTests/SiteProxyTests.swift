import Server
import System
import Testing

@testable import Service

@Suite("A site behind a proxy")
struct SiteProxyTests {
    private static let page = "/acme/chatty.html"
    private static let data = "/api/v1/tenants/acme/bridges"

    private func proxies() throws -> TrustedProxies {
        try #require(TrustedProxies([try AddressRange("10.0.0.0/8")]))
    }

    private func get(
        _ path: String,
        _ fields: String,
        at role: Role = .plain,
        from peer: String = "10.0.0.1"
    ) throws -> Answer {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n".utf8)
        return try TestSite(TestFolder().load()).ask(request, at: role, from: peer, through: proxies())
    }

    @Test("serves what a client asked for by https as over https, though the proxy asks in the clear")
    func isSecure() throws {
        for path in [Self.page, Self.data, "/none"] {
            let secure = try get(path, "X-Forwarded-Proto: https\r\n")
            let direct = try get(path, "", at: .secure, from: "192.0.2.1")
            #expect(secure.status == direct.status && secure.content == direct.content)
            #expect(secure.fields.map(\.value) == direct.fields.map(\.value))
            #expect(secure.value("strict-transport-security") != nil)
        }
        #expect(try get("https://localhost\(Self.page)", "X-Forwarded-Proto: https\r\n").status == 200)
    }

    @Test("sends a page that a client asked for in the clear to https, and refuses data")
    func redirects() throws {
        let moved = try get(Self.page + "?a=b", "X-Forwarded-Proto: http\r\n")
        #expect(moved.status == 308)
        #expect(moved.value("location") == "https://localhost:8443\(Self.page)?a=b")
        #expect(moved.value("strict-transport-security") == nil)
        #expect(try get(Self.data, "X-Forwarded-Proto: http\r\n").status == 403)
        #expect(try get("https://localhost\(Self.page)", "X-Forwarded-Proto: http\r\n").status == 421)
    }

    @Test("serves in the clear where the proxy does not say, and does not hear anybody else")
    func isPlain() throws {
        for fields in ["", "X-Forwarded-Proto: ftp\r\n", "Forwarded: proto=https\r\n"] {
            let answer = try get(Self.page, fields)
            #expect(answer.status == 200 && answer.value("strict-transport-security") == nil)
        }
        for scheme in ["https", "http"] {
            let answer = try get(Self.page, "X-Forwarded-Proto: \(scheme)\r\n", from: "192.0.2.1")
            #expect(answer.status == 200 && answer.value("strict-transport-security") == nil)
        }
    }

    @Test("knows by the listener alone where TLS ends or is asked for")
    func keepsOtherRoles() throws {
        #expect(try get(Self.page, "X-Forwarded-Proto: http\r\n", at: .secure).status == 200)
        #expect(try get(Self.page, "X-Forwarded-Proto: https\r\n", at: .redirect).status == 308)
    }

    @Test("counts identities for the client behind the proxy, whatever that claims to be")
    func countsIdentities() throws {
        let folder = try SigningFolder.make()
        folder.files.settings += ["limits.identitiesPerSecondPerAddress=1", "limits.failuresPerMinutePerAddress=1"]
        let site = try TestSite(folder.load())
        let proxies = try proxies()
        func status(_ client: String, _ token: String = SigningFolder.token, from peer: String) throws -> Int {
            try site.sign(
                #"{"visitor":"v"}"#,
                authorization: "Bearer \(token)",
                fields: "X-Forwarded-For: \(client)\r\n",
                role: .plain,
                from: peer,
                through: proxies
            ).status
        }
        for (token, first, later) in [(SigningFolder.token, 200, 429), ("none", 401, 429)] {
            #expect(try status("192.0.2.1", token, from: "10.0.0.1") == first)
            #expect(try status("6.6.6.6, 192.0.2.1", token, from: "10.0.0.2") == later)
            #expect(try status("192.0.2.2", token, from: "10.0.0.1") == first)
            // A client that asks by itself is who it is.
            #expect(try status("192.0.2.9", token, from: "192.0.2.3") == first)
            #expect(try status("192.0.2.8", token, from: "192.0.2.3") == later)
        }
    }

    @Test("counts reports for the client behind the proxy")
    func countsReports() throws {
        let site = try TestSite(TestFolder().load())
        let content = #"{"csp-report":{"effective-directive":"img-src","blocked-uri":"https://evil.example/x"}}"#
        for client in ["192.0.2.1", "192.0.2.2"] {
            for _ in 0..<(ReportBudget.perAddress.burst + 1) {
                let head =
                    "POST /reports/acme/chatty HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(content.utf8.count)\r\n"
                let request = head + "X-Forwarded-For: \(client)\r\n\r\n" + content
                #expect(try site.ask(Array(request.utf8), from: "10.0.0.1", through: proxies()).status == 204)
            }
            #expect(site.reports.mailbox.take().count == ReportBudget.perAddress.burst)
        }
    }
}
