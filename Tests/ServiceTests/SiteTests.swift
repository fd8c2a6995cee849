import Crypto
import HTTP
import TLS
import Testing

@testable import Service

@Suite("A site")
struct SiteTests {
    @Test("answers a page with its config, and HEAD with the same fields and no content")
    func servesPages() throws {
        let site = try TestSite(TestFolder().load())
        let page = try site.get("/acme/chatty.html")
        #expect(page.status == 200)
        #expect(page.value("content-type") == "text/html; charset=utf-8")
        #expect(page.text.contains(#""config":{"key":"acme"}"#))
        #expect(page.value("content-length") == "\(page.content.count)")
        let head = try site.ask("HEAD /acme/chatty.html HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(head.content.isEmpty)
        #expect(head.fields.map(\.value) == page.fields.map(\.value))
    }

    @Test(
        "finds the same page whatever the query, the case of the host, its port and needless escapes are",
        arguments: [
            ("/acme/chatty.html?x=1&y={}|", "localhost"), ("/acme/chatty.html", "LOCALHOST:8443"),
            ("/acme/chatty.html", "pages.example"), ("/%61cme/chatty%2ehtml", "localhost"),
            ("/acme/chatty.html", "[::1]:8443"),
            ("https://localhost/acme/chatty.html", "elsewhere.example"),
        ]
    )
    func findsPages(target: String, host: String) throws {
        #expect(try TestSite(TestFolder().load()).get(target, host: host).status == 200)
    }

    @Test(
        "has nothing at any other path",
        arguments: [
            ("/", 404), ("/acme", 404), ("/acme/", 404), ("/acme/chatty.html/", 404), ("/ACME/chatty.html", 404),
            ("//acme/chatty.html", 404), ("/nobody/chatty.html", 404), ("/acme/config.json", 404), ("/livez", 404),
            ("/acme/%2e%2e/acme/chatty.html", 400), ("/acme%2fchatty.html", 400), ("/acme/chatty.html%00", 400),
            ("/acme/../acme/chatty.html", 400), ("/acme/./chatty.html", 400), ("/%zz", 400), ("/%ff", 400),
            ("/a%5cb", 400),
        ]
    )
    func findsNothing(path: String, status: Int) throws {
        let answer = try TestSite(TestFolder().load()).get(path)
        #expect(answer.status == status)
        #expect(answer.value("content-type") == "application/problem+json")
        #expect(answer.text.contains("\"status\":\(status)"))
    }

    @Test(
        "answers a known method that is not allowed with 405 and Allow",
        arguments: ["POST", "PUT", "DELETE", "PATCH", "QUERY", "TRACE"]
    )
    func refusesMethods(method: String) throws {
        let answer = try TestSite(TestFolder().load()).ask(
            "\(method) /acme/chatty.html HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        #expect(answer.status == 405)
        #expect(answer.value("allow") == "GET, HEAD, OPTIONS")
    }

    @Test(
        "answers OPTIONS of a resource and of the service",
        arguments: [("/acme/chatty.html", "GET, HEAD, OPTIONS"), ("*", "GET, HEAD, POST, OPTIONS")]
    )
    func answersOptions(target: String, allow: String) throws {
        let answer = try TestSite(TestFolder().load()).ask("OPTIONS \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(answer.status == 204)
        #expect(answer.value("allow") == allow)
    }

    @Test("takes no host, which only HTTP/1.0 may leave out, as the service's own")
    func servesWithoutHost() throws {
        let site = try TestSite(TestFolder().load())
        let request = "GET /acme/chatty.html HTTP/1.0\r\n\r\n"
        #expect(try site.ask(request).status == 200)
        let moved = try site.ask(request, at: .redirect)
        #expect(moved.value("location") == "https://pages.example:8443/acme/chatty.html")
    }

    @Test("never answers an https URL over a connection without TLS", arguments: [Role.plain, .redirect])
    func refusesSecureOrigins(role: Role) throws {
        let site = try TestSite(TestFolder().load())
        #expect(try site.get("https://localhost/acme/chatty.html", at: role).status == 421)
        #expect(try site.get("http://localhost/acme/chatty.html", at: role).status != 421)
    }

    @Test("answers TRACE with 405 wherever it leads, and OPTIONS of a page that only redirects as Allow says")
    func refusesTraces() throws {
        let site = try TestSite(TestFolder().load())
        #expect(try site.ask("TRACE /none HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 405)
        let options = "OPTIONS /acme/chatty.html HTTP/1.1\r\nHost: localhost\r\n\r\n"
        #expect(try site.ask(options, at: .redirect).status == 204)
    }

    @Test("answers 412 unless its tag is one that If-Match has, and before it looks at If-None-Match")
    func honoursIfMatch() throws {
        let site = try TestSite(TestFolder().load())
        func status(_ fields: String) throws -> Int { try site.get("/acme/chatty.html", fields).status }
        let tag = try #require(try site.get("/acme/chatty.html").value("etag"))
        #expect(try status("If-Match: \(tag)\r\n") == 200)
        #expect(try status("If-Match: *\r\n") == 200)
        #expect(try status("If-Match: \"a\"\r\nIf-Match: \(tag)\r\n") == 200)
        #expect(try status("If-Match: W/\(tag)\r\n") == 412)
        #expect(try status("If-Match: \"a\"\r\nIf-None-Match: *\r\n") == 412)
        #expect(try status("If-Match: \(tag)\r\nIf-None-Match: \(tag)\r\n") == 304)
        #expect(try site.get("/none", "If-Match: \"a\"\r\n").status == 404)
    }

    @Test("does not serve hosts that are nobody's", arguments: ["other.example", "localhost.example", "acme"])
    func refusesHosts(host: String) throws {
        #expect(try TestSite(TestFolder().load()).get("/acme/chatty.html", host: host).status == 421)
    }

    @Test("does not serve a host that the certificate shown for a server name does not cover")
    func refusesForeignCertificates() throws {
        let load = try TestFolder().load()
        let site = try TestSite(load)
        let shown = try #require(load.certificates?.identities.first?.leaf)
        #expect(try site.ask(request(to: "localhost"), shown: shown).status == 200)
        #expect(try site.ask(request(to: "pages.example"), shown: shown).status == 421)
        #expect(try site.ask(request(to: "pages.example"), shown: nil).status == 200)
    }

    @Test("serves who names no host, as HTTP/1.0 may, where the certificate shown covers the service's own")
    func comparesItsOwnHost() throws {
        let folder = try TestFolder()
        try folder.certify("pages.example", "b.example")
        let load = folder.load()
        let site = try TestSite(load)
        let request = "GET /acme/chatty.html HTTP/1.0\r\n\r\n"
        let shown = try #require(load.certificates?.identities.map(\.leaf))
        #expect(try site.ask(request, shown: shown[0]).status == 200)
        #expect(try site.ask(request, shown: shown[1]).status == 421)
        #expect(try site.ask(request, shown: nil).status == 200)
    }

    @Test("judges a connection of before a reload by the certificate that it was shown, not by that one's old place")
    func keepsShownCertificate() throws {
        let folder = try TestFolder()
        try folder.write("config/tenants/acme.json", TestFolder.tenant("k", hosts: ["a.example", "b.example"]))
        try folder.certify("a.example", "b.example")
        let shown = try #require(folder.load().certificates?.identities.first?.leaf)
        try folder.certify("b.example", "a.example")
        let site = try TestSite(folder.load())
        let page = { (host: String) in "GET /chatty.html HTTP/1.1\r\nHost: \(host)\r\n\r\n" }
        #expect(try site.ask(page("a.example"), shown: shown).status == 200)
        #expect(try site.ask(page("b.example"), shown: shown).status == 421)
    }

    private func request(to host: String) -> String { "GET /acme/chatty.html HTTP/1.1\r\nHost: \(host)\r\n\r\n" }

    @Test("serves a tenant that has hosts there alone, under paths without its name")
    func servesHosts() throws {
        let folder = try TestFolder()
        try folder.write("config/tenants/acme.json", TestFolder.tenant("k", hosts: ["chat.acme.example"]))
        let site = try TestSite(folder.load())
        #expect(try site.get("/chatty.html", host: "chat.acme.example").status == 200)
        #expect(try site.get("/api/v1/bridges/chatty", host: "chat.acme.example").status == 200)
        #expect(try site.get("/acme/chatty.html", host: "chat.acme.example").status == 404)
        #expect(try site.get("/acme/chatty.html").status == 404)
        #expect(try site.get("/api/v1/tenants/acme/bridges").status == 404)
    }

    @Test("tells a config by REST, one bridge or all, with the revision of the page")
    func tellsConfig() throws {
        let site = try TestSite(TestFolder().load())
        let one = try site.get("/api/v1/tenants/acme/bridges/chatty")
        let page = try site.get("/acme/chatty.html")
        #expect(one.value("content-type") == "application/json")
        #expect(one.text.contains(#""pageURL":"https://pages.example/acme/chatty.html""#))
        #expect(one.value("etag") == page.value("etag"))
        let all = try site.get("/api/v1/tenants/acme/bridges")
        #expect(all.text == "{\"bridges\":[\(one.text)],\"tenant\":\"acme\"}")
    }

    @Test(
        "answers 304 to its own tag in any form, with the policy of the page",
        arguments: [
            { (tag: String) in tag }, { "W/\($0)" }, { "\"other\", \($0)" }, { _ in "*" },
        ] as [@Sendable (String) -> String]
    )
    func comparesTags(field: @Sendable (String) -> String) throws {
        let site = try TestSite(TestFolder().load())
        let page = try site.get("/acme/chatty.html")
        let tag = try #require(page.value("etag"))
        let answer = try site.get("/acme/chatty.html", "If-None-Match: \(field(tag))\r\n")
        #expect(answer.status == 304)
        #expect(answer.content.isEmpty)
        #expect(answer.value("content-security-policy") == page.value("content-security-policy"))
        #expect(answer.value("etag") == tag)
        #expect(try site.get("/acme/chatty.html", "If-None-Match: \"other\"\r\n").status == 200)
    }

    @Test("answers with gzip and its own tag where that is wanted")
    func negotiates() throws {
        let site = try TestSite(TestFolder().load())
        let plain = try site.get("/acme/chatty.html")
        let packed = try site.get("/acme/chatty.html", "Accept-Encoding: gzip, br\r\n")
        #expect(packed.value("content-encoding") == "gzip")
        #expect(packed.content.starts(with: [0x1F, 0x8B]))
        #expect(packed.value("etag") != plain.value("etag"))
        #expect(packed.value("vary") == "Accept-Encoding" && plain.value("vary") == "Accept-Encoding")
        #expect(try site.get("/acme/chatty.html", "Accept-Encoding: gzip;q=0\r\n").value("content-encoding") == nil)
        let tag = try #require(packed.value("etag"))
        let fields = "Accept-Encoding: gzip\r\nIf-None-Match: \(tag)\r\n"
        #expect(try site.get("/acme/chatty.html", fields).status == 304)
    }

    @Test("sends pages in the clear to https at the same host, and refuses data there")
    func redirects() throws {
        let site = try TestSite(TestFolder().load())
        let page = try site.get("/acme/chatty.html?a=b", host: "Pages.Example:8080", at: .redirect)
        #expect(page.status == 308)
        #expect(page.value("location") == "https://Pages.Example:8443/acme/chatty.html?a=b")
        #expect(try site.get("/api/v1/tenants/acme/bridges", at: .redirect).status == 403)
        #expect(try site.get("/none", at: .redirect).status == 404)
        #expect(try site.get("/acme/chatty.html", host: "evil.example", at: .redirect).status == 421)
    }

    @Test("tells health and tenants to the admin alone, ready only while it is")
    func tellsHealth() throws {
        let site = try TestSite(TestFolder().load())
        #expect(try site.get("/livez", host: "10.0.0.7:8081", at: .admin).status == 200)
        #expect(try site.get("/readyz", at: .admin).status == 503)
        site.readiness.isReady = true
        #expect(try site.get("/readyz", at: .admin).status == 200)
        #expect(try site.get("/tenants", at: .admin).text.contains("\"acme\""))
        #expect(try site.get("/acme/chatty.html", at: .admin).status == 404)
        #expect(try site.ask("OPTIONS /livez HTTP/1.1\r\nHost: a\r\n\r\n", at: .admin).status == 204)
        #expect(try site.get("/readyz").status == 404)
    }

    @Test("answers methods of no resource to the admin as to others", arguments: ["/livez", "/none", "/metrics"])
    func answersMethodsToTheAdmin(path: String) throws {
        let site = try TestSite(TestFolder().load())
        for target in ["*", "http://a"] {
            let service = try site.ask("OPTIONS \(target) HTTP/1.1\r\nHost: a\r\n\r\n", at: .admin)
            #expect((service.status, service.values("allow")) == (204, ["GET, HEAD, OPTIONS"]))
        }
        let connection = try site.ask("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", at: .admin)
        #expect((connection.status, connection.values("allow")) == (405, ["GET, HEAD, OPTIONS"]))
        let trace = try site.ask("TRACE \(path) HTTP/1.1\r\nHost: a\r\n\r\n", at: .admin)
        #expect((trace.status, trace.values("allow")) == (405, ["GET, HEAD, OPTIONS"]))
        #expect(try site.ask("OPTIONS /none HTTP/1.1\r\nHost: a\r\n\r\n", at: .admin).status == 404)
    }
}
