import HTTP
import Server
import System
import Testing

@testable import Service

/// A client that waits with its content (RFC 9110 §10.1.1) is asked for it only where the head does not decide the answer.
@Suite("Content that has not come")
struct ExpectationTests {
    private static let identity = "/api/v1/tenants/acme/bridges/signer/identity"

    @Test(
        "is wanted by what reads it",
        arguments: ["/reports/acme/chatty", identity, "/api/v1/tenants/x/bridges/y/identity", "/reports/%61cme/chatty"]
    )
    func isWanted(path: String) throws {
        let site = try TestSite(SigningFolder.make().load())
        for role in [Role.secure, .plain] {
            #expect(try site.wantsContent("POST \(path) HTTP/1.1\r\nHost: localhost\r\n", at: role))
        }
        #expect(try site.wantsContent("POST \(path) HTTP/1.0\r\n", at: .secure))
    }

    static let unwanted: [(String, String, Role)] = [
        ("POST /none", "localhost", .secure), ("POST /acme/chatty.html", "localhost", .plain),
        ("GET /acme/chatty.html", "localhost", .secure), ("PUT \(identity)", "localhost", .secure),
        ("OPTIONS \(identity)", "localhost", .secure), ("TRACE \(identity)", "localhost", .secure),
        ("CONNECT a:1", "localhost", .secure), ("OPTIONS *", "localhost", .secure),
        ("POST \(identity)", "elsewhere.example", .secure), ("POST https://localhost\(identity)", "localhost", .plain),
        ("POST /%zz", "localhost", .secure), ("POST \(identity)", "localhost", .redirect),
        ("POST /reports/acme/chatty", "localhost", .redirect), ("GET /acme/chatty.html", "localhost", .redirect),
        ("POST /livez", "localhost", .admin), ("POST \(identity)", "localhost", .admin),
        ("POST \(identity)", "localhost\r\nContent-Encoding: gzip", .secure),
    ]

    @Test("is not wanted where the head alone decides", arguments: unwanted)
    func isNotWanted(line: String, host: String, role: Role) throws {
        let site = try TestSite(SigningFolder.make().load())
        #expect(try !site.wantsContent("\(line) HTTP/1.1\r\nHost: \(host)\r\n", at: role))
    }

    @Test("is wanted of those whom a proxy serves by https, not of those it redirects", arguments: [true, false])
    func asksThroughProxies(isSecure: Bool) throws {
        let site = try TestSite(SigningFolder.make().load())
        let fields = "X-Forwarded-Proto: \(isSecure ? "https" : "http")\r\n"
        let head = "POST \(Self.identity) HTTP/1.1\r\nHost: localhost\r\n\(fields)"
        let proxies = try #require(TrustedProxies([try AddressRange("127.0.0.0/8")]))
        #expect(try site.wantsContent(head, at: .plain, through: proxies) == isSecure)
    }
}

extension TestSite {
    /// Whether the content is wanted of a request with this head, which needs no empty line.
    func wantsContent(_ head: String, at role: Role, through proxies: TrustedProxies? = nil) throws -> Bool {
        let bytes = Array((head + "Content-Length: 2\r\n\r\n{}").utf8)
        var parsed = RequestHead()
        var decoder = RequestDecoder(limits: RequestLimits())
        guard case .request = decoder.next(bytes.span, into: &parsed) else {
            Issue.record("no request: \(head)")
            return false
        }
        let connection = ConnectionFacts(
            listener: Self.roles.firstIndex(of: role) ?? 0,
            peer: try #require(SocketAddress(literal: "127.0.0.1", port: 1)),
            proxies: proxies
        )
        return site.wantsContent(of: parsed, bytes.span, on: connection)
    }
}
