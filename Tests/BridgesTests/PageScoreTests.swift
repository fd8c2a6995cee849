import PolicyScorers
import Testing

@testable import Bridges

@Suite("Scores of pages")
struct PageScoreTests {
    /// Pages of a tenant that uses all that a tenant can to widen a policy, and of one that uses nothing.
    private func pages() throws -> [Page] {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/plain.json", Fixture.tenant)
        let sources = Directive.ofTenants.map { "\"\($0.rawValue)\":[\"https://*.w.example:8443\"]" }.joined(
            separator: ","
        )
        try workspace.write(
            "config/tenants/wide.json",
            Samples.entry(
                "{\"settings\":{\"room\":\"a\",\"zone\":\"west\",\"scriptURL\":\"https://s.example/x.js\"},\"policy\":{\(sources)},\"reportOnly\":{\(sources)}}"
            )
        )
        return try #require(workspace.loader().load().catalog).tenants.flatMap(\.bridges).compactMap(\.page)
    }

    @Test("No policy has a finding of CSP Evaluator worse than a remark")
    func evaluator() throws {
        let pages = try pages()
        #expect(pages.count == 2)
        for policy in pages.flatMap({ [$0.contentSecurityPolicy, $0.reportOnlyPolicy].compactMap(\.self) }) {
            #expect(CSPEvaluator.findings(policy) == [])
        }
    }

    @Test("Every page reaches 130 points of the Observatory with the fields of pages")
    func observatory() throws {
        for page in try pages() {
            let fields = [
                (name: "Content-Type", value: "text/html; charset=utf-8"),
                (name: "Content-Security-Policy", value: page.contentSecurityPolicy),
                (name: "Referrer-Policy", value: "strict-origin-when-cross-origin"),
                (name: "Cross-Origin-Opener-Policy", value: "same-origin-allow-popups"),
                (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
                (name: "X-Content-Type-Options", value: "nosniff"),
                (name: "Strict-Transport-Security", value: "max-age=31536000; includeSubDomains"),
                (name: "Permissions-Policy", value: page.permissionsPolicy),
                (name: "Reporting-Endpoints", value: page.reportingEndpoints),
            ]
            let result = Observatory.score(fields, body: String(decoding: page.body, as: UTF8.self))
            #expect(result.score >= 130, "\(result)")
        }
    }

    @Test("Every script and style of a page is one that its policy lets run")
    func hashes() throws {
        for page in try pages() {
            let policy = CSPEvaluator.parse(page.contentSecurityPolicy)
            var scanner = HTMLScanner(page.body)
            var opened = ""
            var scripts = 0
            while let token = try scanner.next() {
                if case .startTag(let tag) = token { opened = tag.attributes.isEmpty ? tag.name : "" }
                guard case .rawText(let range) = token, opened == "script" else { continue }
                scripts += 1
                #expect(policy["script-src"]?.contains(PageTemplate.source(hashing: page.body[range])) == true)
            }
            #expect(scripts == 2)
            #expect(policy["script-src"]?.contains("'strict-dynamic'") == true)
            #expect(policy["style-src"]?.contains { $0.hasPrefix("'sha") } == false)
        }
    }

    @Test("A field's value is printable ASCII on one line")
    func fieldValues() throws {
        for page in try pages() {
            for value in [
                page.contentSecurityPolicy, page.permissionsPolicy, page.reportingEndpoints,
                page.reportOnlyPolicy ?? "",
            ] {
                #expect(value.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            }
            #expect(!page.contentSecurityPolicy.contains(","))
        }
    }
}
