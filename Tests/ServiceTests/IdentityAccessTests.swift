import Testing

@testable import Service

@Suite("The door to identities")
struct IdentityAccessTests {
    private static let root = "/api/v1/tenants/"
    private static let content = #"{"visitor":"a"}"#

    private func site(rates: [String] = [], clock: @escaping @Sendable () -> Int = { 0 }) throws -> TestSite {
        let folder = try SigningFolder.make()
        folder.files.settings += rates
        return try TestSite(folder.load(), limits: IdentityLimits(clock: clock))
    }

    @Test("opens to each of the tenant's tokens, in the scheme's any case")
    func opens() throws {
        let site = try site()
        for field in ["Bearer token-of-acme", "bearer second-token-of-acme", "BEARER   token-of-acme"] {
            #expect(try site.sign(Self.content, authorization: field).status == 200)
        }
    }

    @Test(
        "stays shut to all else, and says whether a token was seen",
        arguments: [
            (nil, false), ("Basic dG9rZW4=", false), ("token-of-acme", false), ("", false),
            ("Bearertoken-of-acme", false),
            ("Bearer", true), ("Bearer token-of-rival", true), ("Bearer token-of-acme2", true),
            ("Bearer token-of-acm", true),
            ("Bearer TOKEN-OF-ACME", true), ("Bearer token-of-acme, Bearer x", true),
            ("Bearer token-of-acme token", true),
            ("Bearer \"token-of-acme\"", true), ("Bearer token-of-acme=", true), ("Bearer =", true),
            ("Bearer tökèn", true),
            ("Bearer token-of-acme\r\nAuthorization: Bearer token-of-acme", true),
        ] as [(String?, Bool)]
    )
    func staysShut(authorization: String?, hasToken: Bool) throws {
        let answer = try site().sign(Self.content, authorization: authorization)
        #expect(answer.status == 401)
        let challenge = #"Bearer realm="bridgehost""# + (hasToken ? #", error="invalid_token""# : "")
        #expect(answer.values("www-authenticate") == [challenge])
        #expect(answer.content == (hasToken ? ProblemDetail.invalidToken : .unauthenticated).content)
        #expect(answer.value("cache-control") == "no-store")
    }

    @Test("looks the same for all tenants and bridges to whoever has no token of that tenant")
    func looksAlike() throws {
        let site = try site()
        let paths = [
            "acme/bridges/signer", "acme/bridges/chatty", "acme/bridges/nothing", "keyless/bridges/signer",
            "hosted/bridges/signer", "nobody/bridges/signer", "nobody/bridges/nothing",
        ]
        for token in ["Bearer token-of-rival", nil] {
            let answers = try paths.map { path in
                try site.sign("no JSON", at: "\(Self.root)\(path)/identity?x", authorization: token, type: nil)
            }
            #expect(answers.allSatisfy { $0.status == 401 && $0.content == answers[0].content })
        }
        let hosted = try site.sign(
            Self.content,
            at: "/api/v1/bridges/nothing/identity",
            host: "chat.hosted.example"
        )
        #expect(hosted.status == 401)
    }

    @Test("tells a tenant's own backend what is not there")
    func tellsOwners() throws {
        let site = try site()
        for bridge in ["chatty", "nothing"] {
            #expect(try site.sign(Self.content, at: "\(Self.root)acme/bridges/\(bridge)/identity").status == 404)
        }
    }

    @Test("is at the tenant's host for a tenant that has one, and there alone")
    func hosts() throws {
        let site = try site()
        let rival = "Bearer \(SigningFolder.otherToken)"
        let host = "chat.hosted.example"
        let own = "/api/v1/bridges/signer/identity"
        #expect(try site.sign(Self.content, at: own, host: host, authorization: rival).status == 200)
        #expect(try site.sign(Self.content, at: own, host: host).status == 401)
        #expect(try site.sign(Self.content, at: own).status == 404)
        let byName = "\(Self.root)hosted/bridges/signer/identity"
        #expect(try site.sign(Self.content, at: byName, authorization: rival).status == 401)
        #expect(try site.sign(Self.content, at: byName, host: host, authorization: rival).status == 404)
    }

    @Test(
        "has no other paths",
        arguments: [
            "acme/bridges//identity", "acme/identity", "a/b/c/bridges/x/identity", "/bridges/x/identity",
            "NOBODY/bridges/x/identity", "null,null/bridges/x/identity",
            "nobody/bridges/\(String(repeating: "x", count: 250))/identity",
        ]
    )
    func otherPaths(path: String) throws {
        #expect(try site().sign(Self.content, at: Self.root + path).status == 404)
    }

    @Test("refuses whatever names an origin, with a valid token too", arguments: ["https://chat.example", "null", ""])
    func refusesBrowsers(origin: String) throws {
        let answer = try site().sign(Self.content, fields: "Origin: \(origin)\r\n")
        #expect(answer.status == 403)
        #expect(answer.content == ProblemDetail.notForBrowsers.content)
        #expect(answer.value("access-control-allow-origin") == nil)
    }

    @Test("tells an address with too many failures to wait, and still opens to a token from there")
    func limitsFailures() throws {
        let site = try site(rates: ["limits.failuresPerMinutePerAddress=3"])
        let statuses = try (0..<5).map { _ in try site.sign(Self.content, authorization: "Bearer guess").status }
        #expect(statuses == [401, 401, 401, 429, 429])
        let waiting = try site.sign(Self.content, authorization: nil)
        #expect(waiting.status == 429)
        #expect(waiting.value("retry-after") == "20")
        #expect(try site.sign(Self.content).status == 200)
        #expect(try site.sign(Self.content, authorization: nil, from: "192.0.2.7").status == 401)
    }

    @Test("tells an address, then a tenant, with too many requests to wait")
    func limitsRequests() throws {
        let site = try site(rates: ["limits.identitiesPerSecond=3", "limits.identitiesPerSecondPerAddress=2"])
        #expect(try (0..<3).map { _ in try site.sign(Self.content, from: "192.0.2.1").status } == [200, 200, 429])
        #expect(try (0..<2).map { _ in try site.sign(Self.content, from: "192.0.2.2").status } == [200, 429])
        let waiting = try site.sign(Self.content, from: "192.0.2.3")
        #expect(waiting.content == ProblemDetail.tooManyRequests.content)
        #expect(waiting.value("retry-after") == "1")
        let other = try site.sign(
            Self.content,
            at: "\(Self.root)rival/bridges/signer/identity",
            authorization: "Bearer \(SigningFolder.otherToken)",
            from: "192.0.2.4"
        )
        #expect(other.status == 200)
    }
}
