import JSON
import PolicyScorers
import Testing

@testable import Bridges

@Suite("The inspector")
struct InspectorTests {
    private static let app = "(function () { window.app = 1; })();\n"

    private func workspace() throws -> Workspace {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/t.json", Fixture.tenant)
        try workspace.write("public/inspect.html", Fixture.page)
        try workspace.write("public/inspect-app.js", Self.app)
        return workspace
    }

    private func catalog(_ workspace: Workspace) throws -> Catalog {
        let load = workspace.loader(inspects: true).load()
        #expect(load.problems == [])
        return try #require(load.catalog)
    }

    @Test("A framed page differs by the script before all others, that script's hash, and who may frame it")
    func framedPage() throws {
        let catalog = try catalog(workspace())
        let page = try #require(catalog.tenants[0].bridges[0].page)
        let framed = try #require(catalog.inspector).framed(page)
        let charset = "<meta charset=\"utf-8\">"
        let body = String(decoding: page.body, as: UTF8.self)
            .replacing(charset, with: "\(charset)<script>\(Self.app)</script>")
        #expect(String(decoding: framed.body, as: UTF8.self) == body)
        let hash = PageTemplate.source(hashing: Self.app.utf8)
        let scripts =
            "script-src "
            + (Policy(text: page.contentSecurityPolicy).sources(of: .scriptSrc) ?? []).joined(separator: " ")
        let policy = page.contentSecurityPolicy
            .replacing(scripts, with: "\(scripts) \(hash)")
            .replacing("frame-ancestors 'none'", with: "frame-ancestors 'self'")
        #expect(framed.contentSecurityPolicy == policy && policy != page.contentSecurityPolicy)
        #expect(framed.permissionsPolicy == page.permissionsPolicy)
        #expect(framed.reportingEndpoints == page.reportingEndpoints)
    }

    @Test("A policy that is only tried lets the frame be as well, so that it reports nothing of ours")
    func triedPolicy() throws {
        let workspace = try workspace()
        let entry = #"{ "settings": { "room": "hall" }, "reportOnly": { "img-src": ["https://a.example"] } }"#
        try workspace.write("config/tenants/t.json", "{ \"bridges\": { \"parley\": \(entry) } }")
        let catalog = try catalog(workspace)
        let page = try #require(catalog.tenants[0].bridges[0].page)
        let inspector = try #require(catalog.inspector)
        let tried = try #require(inspector.framed(page).reportOnlyPolicy)
        #expect(tried.contains(PageTemplate.source(hashing: Self.app.utf8)))
        #expect(tried.contains("frame-ancestors 'self'"))
    }

    @Test("Its own page runs its own scripts, frames its own origin, and does nothing else")
    func view() throws {
        let inspector = try #require(try catalog(workspace()).inspector)
        let view = inspector.view(of: ["bridges": ["</script>"]])
        let policy = Policy(text: view.contentSecurityPolicy)
        #expect(policy.sources(of: .defaultSrc) == [] && policy.sources(of: .frameAncestors) == [])
        #expect(policy.sources(of: .frameSrc) == ["'self'"] && policy.sources(of: .connectSrc) == nil)
        #expect(policy.sources(of: .scriptSrc)?.allSatisfy { $0.hasPrefix("'sha256-") } == true)
        #expect(CSPEvaluator.findings(view.contentSecurityPolicy) == [])
        #expect(String(decoding: view.body, as: UTF8.self).contains(#"{"bridges":["\u003c/script\u003e"]}"#))
    }

    @Test("A catalog has one only where it was asked for")
    func askedFor() throws {
        let workspace = try workspace()
        let catalog = try #require(workspace.loader().load().catalog)
        #expect(catalog.inspector == nil)
    }

    @Test("Without its files, or with a broken one, there is no catalog and one problem", arguments: ["", "</script"])
    func brokenFiles(script: String) throws {
        let workspace = try workspace()
        if script.isEmpty {
            workspace.remove("public/inspect-app.js")
        } else {
            try workspace.write("public/inspect-app.js", script)
        }
        let load = workspace.loader(inspects: true).load()
        #expect(load.catalog == nil)
        #expect(load.problems.map(\.file) == ["\(workspace.root)/public/inspect-app.js"])
    }

    @Test("The shipped files are read without a problem, and their policy has no finding")
    func shippedFiles() throws {
        let problems = ProblemCollector()
        let inspector = Inspector.read(from: Repository.root + "/public", problems: problems)
        #expect(problems.problems == [])
        let policy = try #require(inspector).view(of: .null).contentSecurityPolicy
        #expect(CSPEvaluator.findings(policy) == [])
    }
}
