import Testing

@testable import Bridges

@Suite("A page as one file")
struct PageBundleTests {
    private func page(
        head: String = "<!doctype html>\n<meta charset=\"utf-8\">",
        policy: String = "default-src 'none'",
        reportOnly: String? = nil
    ) -> Page {
        Page(
            name: "p.html",
            head: Array(head.utf8),
            data: Array("{}".utf8),
            tail: Array("</script>".utf8),
            contentSecurityPolicy: policy,
            reportOnlyPolicy: reportOnly,
            permissionsPolicy: "camera=()",
            reportPath: ""
        )
    }

    private func text(_ page: Page) -> String { String(decoding: PageBundle(page).bytes, as: UTF8.self) }

    private func element(_ policy: String) -> String {
        "\n<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"
    }

    @Test("A loaded page gets its policy right after the charset, without what only a server can say, and nothing else")
    func wholePage() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/t.json", Fixture.tenant)
        let page = try #require(workspace.loader().load().catalog?.tenants[0].bridges[0].page)
        let served = page.contentSecurityPolicy
        let suffix = "; frame-ancestors 'none'; report-uri /reports/t/parley; report-to bridgehost"
        #expect(served.hasSuffix(suffix))
        let charset = "<meta charset=\"utf-8\">"
        let policy = element(String(served.dropLast(suffix.count)))
        let expected = String(decoding: page.body, as: UTF8.self).replacing(charset, with: charset + policy)
        #expect(text(page) == expected)
        #expect(PageBundle(page).leftOut == ["frame-ancestors", "report-uri", "report-to", "Permissions-Policy"])
    }

    @Test("No source depends on where the file lies, since 'self' means nothing there")
    func sources() throws {
        let load = CatalogLoader(
            source: CatalogSource(
                configDirectory: Repository.root + "/config",
                publicDirectory: Repository.root + "/public",
                publicBaseURL: nil,
                secretsDirectory: nil,
                serviceHosts: [],
                revisionSalt: ""
            )
        )
        .load()
        let pages = try #require(load.catalog).tenants.flatMap(\.bridges).compactMap(\.page)
        #expect(pages.count == 4)
        for page in pages {
            let carried = try #require(text(page).firstMatch(of: /Content-Security-Policy" content="([^"]*)"/))
            let sources = carried.1.split(separator: "; ").flatMap { $0.split(separator: " ").dropFirst() }
            #expect(sources.count > 10)
            #expect(!sources.contains("'self'") && !sources.contains { $0.hasPrefix("/") })
        }
    }

    @Test("A policy that is tried without enforcing is left out, and said")
    func reportOnly() {
        let page = page(reportOnly: "img-src https://i.example")
        #expect(PageBundle(page).leftOut == ["Content-Security-Policy-Report-Only", "Permissions-Policy"])
        #expect(!text(page).contains("i.example"))
    }

    @Test("An ampersand in a source's path stays one")
    func ampersand() {
        let bundle = text(page(policy: "img-src https://i.example/a&amp/"))
        #expect(bundle.contains(element("img-src https://i.example/a&amp;amp/")))
    }

    @Test(
        "The policy comes before all that it could rule, with a charset where the page has none first",
        arguments: [
            ("<!doctype html>\n<html lang=\"en\">\n<!-- x -->\n<head>\n<meta charset=\"utf-8\">|<title>", false),
            ("<!DOCTYPE html><meta charset=utf-8>|<script>", false),
            ("<!doctype html><html><head>|<script>1</script><meta charset=\"utf-8\">", true),
            ("<!doctype html><html><head>|<title>é</title><meta charset=\"utf-8\">", true),
            ("<!doctype html>|<p><head><meta charset=\"utf-8\">", true),
            ("<!doctype html>|text <meta charset=\"utf-8\">", true), ("<!doctype html>|", true),
        ]
    )
    func place(marked: String, addsCharset: Bool) {
        let added = (addsCharset ? "\n<meta charset=\"utf-8\">" : "") + element("default-src 'none'")
        let bundle = text(page(head: marked.replacing("|", with: "")))
        #expect(bundle == marked.replacing("|", with: added) + "{}</script>")
    }
}
