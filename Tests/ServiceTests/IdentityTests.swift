import Crypto
import JSON
import Testing

@testable import Service

@Suite("An identity")
struct IdentityTests {
    private static let known = "ec55e42e5dac77d3ebddb6188de0c1f64614c9a57e4521914cff27bf458f2f9d"
    private let site: TestSite

    init() throws { site = try TestSite(SigningFolder.make().load()) }

    private static func code(_ id: String, key: String = "inbox-secret-A") -> String {
        HMAC.sha256(Array(id.utf8), key: Array(key.utf8)).hexadecimal
    }

    @Test("is signed with the tenant's first key, in the fields that the descriptor names, and kept by no cache")
    func signs() throws {
        let answer = try site.sign(#"{"visitor":"user-123"}"#)
        #expect(answer.status == 200)
        #expect(answer.text == #"{"proof":"\#(Self.known)","visitor":"user-123"}"#)
        #expect(answer.value("cache-control") == "no-store")
        #expect(answer.value("content-type") == "application/json")
        #expect(answer.values("content-security-policy").count == 1)
        #expect(answer.value("access-control-allow-origin") == nil)
    }

    @Test(
        "is that of the id's exact bytes",
        arguments: [
            " user-123", "user-123 ", "user-123\n", "USER-123", "é", "e\u{301}", "😀", "\0", "<&>\"\\", "\u{FEFF}a",
            "\u{2028}", String(repeating: "a", count: 512), String(repeating: "é", count: 256),
            String(repeating: "😀", count: 128),
        ]
    )
    func exactBytes(id: String) throws {
        let answer = try site.sign(JSONValue.object([(name: "visitor", value: .string(id))]).text)
        #expect(answer.status == 200)
        #expect(answer.text.contains("\"proof\":\"\(Self.code(id))\""))
    }

    @Test("is the same however JSON writes the id")
    func escapes() throws {
        let plain = try site.sign(#"{"visitor":"é😀/"}"#).text
        #expect(try site.sign(#" { "visitor" : "\u00e9\uD83D\uDE00\/" } "#).text == plain)
        #expect(try site.sign(#"{"vis\u0069tor":"é😀/"}"#).text == plain)
    }

    @Test(
        "is refused with what is wrong",
        arguments: [
            ("", 400, ProblemDetail.notJSON), ("{", 400, .notJSON), ("{'visitor':'a'}", 400, .notJSON),
            (#"{"visitor":"a",}"#, 400, .notJSON), (#"{"visitor":"a"} x"#, 400, .notJSON),
            (#"{"visitor":"a","visitor":"a"}"#, 400, .repeatedName), ("[]", 422, .notAnObject),
            ("null", 422, .notAnObject),
            ("{}", 422, .missingID), (#"{"id":"a"}"#, 422, .unknownName),
            (#"{"visitor":"a","x":1}"#, 422, .unknownName),
            (#"{"visitor":1}"#, 422, .idNotText), (#"{"visitor":null}"#, 422, .idNotText),
            (#"{"visitor":["a"]}"#, 422, .idNotText), (#"{"visitor":""}"#, 422, .emptyID),
            (#"{"visitor":"\#(String(repeating: "a", count: 513))"}"#, 422, .idTooLong),
            (#"{"visitor":"\#(String(repeating: "é", count: 257))"}"#, 422, .idTooLong),
            (#"{"visitor":"\ud800"}"#, 422, .loneSurrogate), (#"{"visitor":"\udc00a"}"#, 422, .loneSurrogate),
            (#"{"visitor":"\ud800\ud800"}"#, 422, .loneSurrogate),
        ]
    )
    func refuses(content: String, status: Int, problem: ProblemDetail) throws {
        let answer = try site.sign(content)
        #expect(answer.status == status)
        #expect(answer.content == problem.content)
        #expect(answer.value("content-type") == "application/problem+json")
    }

    @Test("is refused for bytes that are not UTF-8")
    func refusesBytes() throws {
        let head =
            "POST /api/v1/tenants/acme/bridges/signer/identity HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer \(SigningFolder.token)\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n"
        let content = Array(#"{"visitor":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        #expect(try site.ask(Array(head.utf8) + content).content == ProblemDetail.notJSON.content)
    }

    @Test(
        "needs JSON by its media type",
        arguments: [
            ("application/json", 200), ("Application/JSON; charset=UTF-8", 200),
            ("application/json;charset=\"utf-8\"", 200),
            ("application/json ;", 200), ("text/plain", 415), ("application/json; charset=latin1", 415),
            ("application/json; version=2", 415), ("application/jsonp", 415), ("", 415),
            ("application/x-www-form-urlencoded", 415), (nil, 415),
        ] as [(String?, Int)]
    )
    func mediaTypes(type: String?, status: Int) throws {
        #expect(try site.sign(#"{"visitor":"a"}"#, type: type).status == status)
    }

    @Test(
        "is signed with the key that the query asks for",
        arguments: [
            ("?kid=2026-11", 200, "inbox-secret-A"), ("?kid=2026-10", 200, "inbox-secret-B"),
            ("?", 200, "inbox-secret-A"),
            ("?kid=2026%2D10", 200, "inbox-secret-B"), ("?kid=1", 404, ""), ("?kid=", 404, ""),
            ("?kid=2026-1", 404, ""),
            ("?key=2026-10", 400, ""), ("?kid=2026-10&kid=2026-11", 400, ""), ("?kid=%zz", 400, ""),
            ("?kid=%+1", 400, ""),
            ("?kid=%ff", 400, ""), ("?KID=2026-10", 400, ""), ("?kid=2026-10&x=1", 400, ""), ("?kid", 400, ""),
        ]
    )
    func keys(query: String, status: Int, key: String) throws {
        let answer = try site.sign(
            #"{"visitor":"a"}"#,
            at: "/api/v1/tenants/acme/bridges/signer/identity" + query
        )
        #expect(answer.status == status)
        #expect(status != 200 || answer.text.contains(Self.code("a", key: key)))
    }

    @Test("is not made for a tenant without a key")
    func keyless() throws {
        let answer = try site.sign(#"{"visitor":"a"}"#, at: "/api/v1/tenants/keyless/bridges/signer/identity")
        #expect(answer.content == ProblemDetail.noSecret.content)
        #expect(answer.status == 409)
    }

    @Test("is had with POST alone", arguments: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "TRACE"])
    func methods(method: String) throws {
        for bridge in ["signer", "chatty", "nothing"] {
            let path = "/api/v1/tenants/acme/bridges/\(bridge)/identity"
            let answer = try site.ask("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(answer.status == 405)
            #expect(answer.value("allow") == "POST, OPTIONS")
        }
    }

    @Test("is served behind a proxy that speaks TLS, and not where everything leads to https")
    func listeners() throws {
        let content = #"{"visitor":"user-123"}"#
        #expect(try site.sign(content, role: .plain).status == 200)
        #expect(try site.sign(content, role: .redirect).content == ProblemDetail.secureOnly.content)
        #expect(try site.sign(content, role: .admin).status == 404)
    }
}
