import System
import Testing

@testable import Service

@Suite("Challenges of a certificate authority")
struct ChallengeTests {
    private static let prefix = "/.well-known/acme-challenge/"
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        folder.files.settings = ["challengeDirectory=../challenges"]
        try File.makeDirectory(folder.path + "/challenges/below")
        try folder.write("challenges/Token-1_a", "Token-1_a.hash")
        try folder.write("challenges/below/file", "below")
        try folder.write("challenges/a.b", "dotted")
        try folder.write("challenges/long", String(repeating: "x", count: 4_097))
        try folder.write("challenges/full", String(repeating: "x", count: 4_096))
        try folder.write("challenges/" + String(repeating: "t", count: 128), "128")
        try folder.write("challenges/" + String(repeating: "t", count: 129), "129")
    }

    @Test("are answered for any host at a listener that redirects, as bytes that nobody keeps")
    func answers() throws {
        let site = try TestSite(folder.load())
        for host in ["localhost", "pages.example", "stranger.example", "10.0.0.1:80"] {
            let answer = try site.get(Self.prefix + "Token-1_a", host: host, at: .redirect)
            #expect(answer.status == 200)
            #expect(answer.text == "Token-1_a.hash")
            #expect(answer.value("content-type") == "application/octet-stream")
            #expect(answer.value("cache-control") == "no-store")
            #expect(answer.value("x-content-type-options") == "nosniff")
            #expect(answer.values("content-security-policy").count == 1)
        }
        let old = try site.ask("GET \(Self.prefix)Token-1_a HTTP/1.0\r\n\r\n", at: .redirect)
        #expect(old.text == "Token-1_a.hash")
        #expect(try site.get(Self.prefix + "full", at: .redirect).content.count == 4_096)
        #expect(try site.get(Self.prefix + String(repeating: "t", count: 128), at: .redirect).text == "128")
        #expect(try site.get(Self.prefix + "Token-1_a?x=/..", at: .redirect).text == "Token-1_a.hash")
    }

    @Test("are answered at no other listener, and at none unless a folder is set", arguments: TestSite.roles)
    func staysThere(role: Role) throws {
        let status = try TestSite(folder.load()).get(Self.prefix + "Token-1_a", at: role).status
        #expect(status == (role == .redirect ? 200 : 404))
        folder.files.settings = []
        #expect(try TestSite(folder.load()).get(Self.prefix + "Token-1_a", at: role).status == 404)
    }

    @Test(
        "are nothing but a token's file",
        arguments: [
            "missing", "a.b", "below", "below/file", "long", "", ".", "../config/server.json", "%54oken-1_a",
            "Token-1_a/", "Token-1_a%00", "Token-1_a~", "..%2fconfig%2fserver.json", "%2e%2e/config/server.json",
            String(repeating: "t", count: 129),
        ]
    )
    func refuses(name: String) throws {
        let answer = try TestSite(folder.load()).get(Self.prefix + name, at: .redirect)
        #expect(answer.status == 404)
        #expect(answer.value("content-type") == "application/problem+json")
    }

    @Test("are there for GET and HEAD alone")
    func methods() throws {
        let site = try TestSite(folder.load())
        func ask(_ method: String) throws -> Answer {
            try site.ask(
                "\(method) \(Self.prefix)Token-1_a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
                at: .redirect
            )
        }
        let head = try ask("HEAD")
        #expect(head.status == 200 && head.content.isEmpty && head.value("content-length") == "14")
        for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE"] {
            let answer = try ask(method)
            #expect(answer.status == 405 && answer.value("allow") == "GET, HEAD, OPTIONS", "\(method)")
        }
        #expect(try ask("OPTIONS").status == 204)
    }

    @Test("need a folder at start, which a reload can do without, and someone who asks")
    func checksFolder() throws {
        let load = folder.load()
        #expect(load.isServable && load.problems.isEmpty, "\(load.problems)")
        folder.files.settings = ["challengeDirectory=../nowhere"]
        let broken = folder.load()
        #expect(!broken.isServable)
        #expect(
            broken.problems.contains { "\($0)".contains("nowhere: error: found no folder that can be opened: No such") }
        )
        #expect(folder.load(previous: load).isServable)
        folder.files.settings = ["challengeDirectory=../challenges", "listeners.2.redirect=false"]
        let unasked = folder.load()
        #expect(unasked.isServable)
        #expect(
            unasked.problems.contains { "\($0)".contains("warning: found challengeDirectory, and no listener with") }
        )
    }
}
