import PolicyScorers
import Testing

@testable import Service

@Suite("Every answer of every listener")
struct FieldsTests {
    /// One request for each kind of answer there is.
    private static let requests: [(name: String, request: String)] = [
        ("page", "GET /acme/chatty.html HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("head", "HEAD /acme/chatty.html HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("gzip", "GET /acme/chatty.html HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"),
        ("not modified", "GET /acme/chatty.html HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: *\r\n\r\n"),
        ("config", "GET /api/v1/tenants/acme/bridges HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (
            "config not modified",
            "GET /api/v1/tenants/acme/bridges HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: *\r\n\r\n"
        ),
        ("options", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("health", "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("tenants", "GET /tenants HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("bad path", "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("not found", "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("method", "DELETE /acme/chatty.html HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("connect", "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("unknown method", "FROB / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("misdirected", "GET / HTTP/1.1\r\nHost: other.example\r\n\r\n"),
        ("malformed", "GET / HTTP/1.1\r\n\r\n"),
        ("version", "GET / HTTP/2.0\r\nHost: localhost\r\n\r\n"),
        ("expectation", "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\n\r\n"),
        ("too long", "GET /\(String(repeating: "a", count: 5_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("too large", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n"),
    ]

    @Test(
        "has one policy, cannot be sniffed, names no product, and says HSTS over TLS alone",
        arguments: TestSite.roles
    )
    func hasSecurityFields(role: Role) throws {
        let site = try TestSite(TestFolder().load())
        for (name, request) in Self.requests {
            let answer = try site.ask(request, at: role)
            #expect(answer.status >= 200, "\(name)")
            let policies = answer.values("content-security-policy")
            #expect(policies.count == 1, "\(name)")
            let findings = CSPEvaluator.findings(policies.first ?? "").filter { $0.severity < .info }
            #expect(findings.isEmpty, "\(name): \(findings)")
            #expect(answer.values("x-content-type-options") == ["nosniff"], "\(name)")
            #expect(answer.values("strict-transport-security").count == (role == .secure ? 1 : 0), "\(name)")
            #expect(answer.values("referrer-policy").count == 1, "\(name)")
            #expect(answer.values("cross-origin-resource-policy") == ["same-origin"], "\(name)")
            #expect(answer.values("server").isEmpty && answer.values("x-powered-by").isEmpty, "\(name)")
            #expect(answer.values("date").count == 1, "\(name)")
            #expect(answer.values("set-cookie").isEmpty, "\(name)")
        }
    }

    @Test("of a page or of data scores what the Observatory gives its best")
    func scores() throws {
        let site = try TestSite(TestFolder().load())
        for path in ["/acme/chatty.html", "/api/v1/tenants/acme/bridges", "/none"] {
            let answer = try site.get(path)
            #expect(Observatory.score(answer.fields, body: answer.text).score >= 130, "\(path)")
        }
    }
}
