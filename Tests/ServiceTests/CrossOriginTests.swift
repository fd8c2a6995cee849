import Testing

@testable import Service

@Suite("Config for pages of other origins")
struct CrossOriginTests {
    private static let app = "capacitor://localhost"
    private static let paths = ["/api/v1/tenants/acme/bridges", "/api/v1/tenants/acme/bridges/signer"]
    private let site: TestSite

    init() throws {
        site = try TestSite(SigningFolder.make(origins: [Self.app, "https://localhost", "null"]).load())
    }

    @Test(
        "is theirs to read if the tenant lists them, in every representation",
        arguments: [app, "https://localhost", "null"]
    )
    func allows(origin: String) throws {
        for path in Self.paths {
            for coding in ["", "Accept-Encoding: gzip\r\n"] {
                let answer = try site.get(path, "Origin: \(origin)\r\n\(coding)")
                #expect(answer.status == 200)
                #expect(answer.values("access-control-allow-origin") == [origin])
                #expect(answer.value("access-control-expose-headers") == "ETag, X-Request-ID")
                #expect(answer.value("vary") == "Origin, Accept-Encoding")
                #expect(answer.value("content-encoding") == (coding.isEmpty ? nil : "gzip"))
                #expect(answer.value("access-control-allow-credentials") == nil)
                let tag = try #require(answer.value("etag"))
                let fields = "Origin: \(origin)\r\nIf-None-Match: \(tag)\r\n\(coding)"
                let unchanged = try site.get(path, fields)
                #expect(unchanged.status == 304)
                #expect(unchanged.values("access-control-allow-origin") == [origin])
                #expect(unchanged.value("vary") == "Origin, Accept-Encoding")
            }
        }
    }

    @Test(
        "is not theirs otherwise, and the answer says that it would be another for others",
        arguments: [
            "https://localhost:8443", "http://localhost", "HTTPS://localhost", "https://localhost/",
            "https://localhost.evil",
            "capacitor://localhost, https://localhost", "*", "", "ionic://localhost",
        ]
    )
    func forbids(origin: String) throws {
        let answer = try site.get(Self.paths[1], "Origin: \(origin)\r\n")
        #expect(answer.status == 200)
        #expect(answer.fields.allSatisfy { !$0.name.hasPrefix("access-control") })
        #expect(answer.value("vary") == "Origin, Accept-Encoding")
    }

    @Test("is another tenant's to allow")
    func otherTenants() throws {
        for tenant in ["rival", "keyless"] {
            let path = "/api/v1/tenants/\(tenant)/bridges/signer"
            let answer = try site.get(path, "Origin: \(Self.app)\r\n")
            #expect(answer.value("access-control-allow-origin") == nil)
            #expect(answer.value("vary") == "Origin, Accept-Encoding")
        }
        #expect(try site.get("/acme/chatty.html", "Origin: \(Self.app)\r\n").value("vary") == "Accept-Encoding")
    }

    @Test("can be asked for with If-None-Match after a preflight")
    func preflights() throws {
        for path in Self.paths {
            let answer = try preflight(path, Self.app)
            #expect(answer.status == 204)
            #expect(answer.values("access-control-allow-origin") == [Self.app])
            #expect(answer.value("access-control-allow-methods") == "GET, HEAD")
            #expect(answer.value("access-control-allow-headers") == "If-None-Match")
            #expect(answer.value("access-control-max-age") == "7200")
            #expect(answer.value("vary")?.hasPrefix("Origin") == true)
            let other = try preflight(path, "https://evil.example")
            #expect(other.status == 204)
            #expect(other.value("access-control-allow-origin") == nil)
        }
    }

    @Test("and identities are nobody's, before a preflight and after it")
    func neverIdentities() throws {
        for bridge in ["signer", "nothing"] {
            let answer = try preflight("/api/v1/tenants/acme/bridges/\(bridge)/identity", Self.app)
            #expect(answer.status == 204)
            #expect(answer.fields.allSatisfy { !$0.name.hasPrefix("access-control") })
        }
        let answer = try site.sign(#"{"visitor":"a"}"#, fields: "Origin: \(Self.app)\r\n")
        #expect(answer.status == 403)
        #expect(answer.fields.allSatisfy { !$0.name.hasPrefix("access-control") })
    }

    private func preflight(_ path: String, _ origin: String) throws -> Answer {
        let fields = "Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: if-none-match\r\n"
        return try site.ask("OPTIONS \(path) HTTP/1.1\r\nHost: localhost\r\nOrigin: \(origin)\r\n\(fields)\r\n")
    }
}
