import HTTP
import JSON
import Testing

@testable import Service

@Suite("The API's description")
struct OpenAPITests {
    private static let config = "/api/v1/tenants/{tenant}/bridges/signer"
    private static let identity = config + "/identity"
    private static let ownConfig = config.replacing("{tenant}", with: "acme")
    private static let ownIdentity = identity.replacing("{tenant}", with: "acme")
    private let site: TestSite
    private let description: Description

    init() throws {
        let folder = try SigningFolder.make(origins: ["capacitor://localhost"])
        folder.files.settings += ["limits.failuresPerMinutePerAddress=3"]
        site = try TestSite(folder.load())
        description = try Description(site.get(OpenAPI.path))
    }

    @Test("has every path, and of identities those of bridges that sign")
    func paths() {
        let root = "/api/v1/tenants/{tenant}/bridges"
        #expect(description.paths == [OpenAPI.path, root, "\(root)/chatty", Self.config, Self.identity])
    }

    @Test("has every problem with its status and words", arguments: ProblemDetail.allCases)
    func problems(problem: ProblemDetail) throws {
        let kinds =
            switch problem.scope {
            case .everything: ["Reading", "Signing"]
            case .representations: ["Reading"]
            case .identities: ["Signing"]
            // The description is of the API; engines send reports, whose address the policy gives.
            case .reports: []
            }
        for kind in kinds {
            let response = try #require(description.response("\(kind)\(problem.status.rawValue)"))
            let schema = response.member("content")?.member("application/problem+json")?.member("schema")
            let details = schema?.member("properties")?.member("detail")?.member("enum")?.elements.map(\.text)
            #expect(details?.contains(problem.detail) == true)
        }
    }

    @Test("is true of every answer to those who read", arguments: [Role.secure, .plain, .redirect])
    func reading(role: Role) throws {
        let fields = [
            "", "Accept-Encoding: gzip\r\n", "Origin: capacitor://localhost\r\n", "Origin: https://evil.example\r\n",
            "If-None-Match: *\r\n", "If-Match: \"x\"\r\n", "If-None-Match: *\r\nOrigin: capacitor://localhost\r\n",
            "Expect: tea\r\n",
            "Bad\r\n",
            "X: \(String(repeating: "x", count: 20_000))\r\n", "Content-Length: 99999\r\n",
            "Transfer-Encoding: tea, chunked\r\n",
        ]
        for field in fields {
            let answer = try site.get(Self.ownConfig, field, at: role)
            #expect(description.objections(to: answer, "get", Self.config) == [], "\(field.prefix(40))")
            let own = try site.get(OpenAPI.path, field, at: role)
            #expect(description.objections(to: own, "get", OpenAPI.path) == [], "\(field.prefix(40))")
        }
        for target in ["/api/v1/tenants/nobody/bridges/signer", "/%zz", "/" + String(repeating: "x", count: 5_000)] {
            let answer = try site.get(target, at: role)
            #expect(description.objections(to: answer, "get", Self.config) == [])
        }
        let elsewhere = try site.get(Self.ownConfig, host: "elsewhere.example", at: role)
        #expect(description.objections(to: elsewhere, "get", Self.config) == [])
    }

    @Test("is true of other methods and versions", arguments: ["POST", "QUERY", "BREW"])
    func methods(method: String) throws {
        for version in ["HTTP/1.1", "HTTP/2.0"] {
            let answer = try site.ask("\(method) \(Self.ownConfig) \(version)\r\nHost: localhost\r\n\r\n")
            #expect(description.objections(to: answer, "get", Self.config) == [])
        }
        let answer = try site.ask("PUT \(Self.ownIdentity) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(description.objections(to: answer, "post", Self.identity) == [])
    }

    @Test("is true of OPTIONS, before a page's request and at any time")
    func options() throws {
        for fields in ["", "Origin: capacitor://localhost\r\nAccess-Control-Request-Method: GET\r\n"] {
            for (described, path) in [(Self.config, Self.ownConfig), (Self.identity, Self.ownIdentity)] {
                let answer = try site.ask("OPTIONS \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
                #expect(answer.status == 204)
                #expect(description.objections(to: answer, "options", described) == [])
            }
        }
    }

    @Test("is true of every answer to those who sign")
    func signing() throws {
        let good = #"{"visitor":"a"}"#
        var answers = try ["", "[]", #"{"visitor":""}"#, #"{"visitor":"\ud800"}"#, good].map { try site.sign($0) }
        answers += try [Role.plain, .redirect].map { try site.sign(good, role: $0) }
        answers += try ["?x", "?kid=none"].map { try site.sign(good, at: Self.ownIdentity + $0) }
        answers += try [nil, "Bearer x", "Bearer x", "Bearer x"].map { try site.sign(good, authorization: $0) }
        answers.append(try site.sign(good, type: "text/plain"))
        answers.append(try site.sign(good, fields: "Content-Encoding: gzip\r\n"))
        answers.append(try site.sign(good, fields: "Origin: null\r\n"))
        answers.append(try site.sign(good, at: Self.ownIdentity.replacing("acme", with: "keyless")))
        answers += try (0..<60).map { _ in try site.sign(good) }
        for answer in answers { #expect(description.objections(to: answer, "post", Self.identity) == []) }
        #expect(Set(answers.map(\.status)) == [200, 400, 401, 403, 404, 409, 415, 422, 429])
    }

    @Test("is true when a request never comes to its end", arguments: Rejection.allCases)
    func rejections(rejection: Rejection) throws {
        #expect(description.responses.contains("Reading\(rejection.status.rawValue)"))
        #expect(description.responses.contains("Signing\(rejection.status.rawValue)"))
    }

    @Test("has no tenant, key or token, and at a tenant's host its bridges alone, without a tenant in the path")
    func hosts() throws {
        let hosted = try Description(site.get(OpenAPI.path, host: "chat.hosted.example"))
        #expect(hosted.paths.contains("/api/v1/bridges/signer/identity"))
        #expect(hosted.paths.allSatisfy { !$0.contains("{") })
        for text in [description.text, hosted.text] {
            for word in ["acme", "rival", "keyless", "hosted", "2026-11", "sha256", "inbox-secret"] {
                #expect(!text.contains(word), "\(word)")
            }
        }
    }

    @Test("says which settings an answer must have and what they look like")
    func schemas() throws {
        let schemas = description.root.member("components")?.member("schemas")
        let chatty = try #require(schemas?.member("chatty")?.member("properties"))
        #expect(chatty.member("pageURL") != nil)
        #expect(chatty.member("config")?.member("required")?.elements.map(\.text) == ["key"])
        #expect(schemas?.member("signer")?.member("properties")?.member("pageURL") == nil)
    }
}
