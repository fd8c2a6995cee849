import Testing

@testable import Service

@Suite("The inspector's answers")
struct InspectionTests {
    private func folder() throws -> TestFolder {
        let folder = try TestFolder()
        try folder.write("public/inspect.html", TestFolder.page)
        try folder.write("public/inspect-app.js", "window.app = 1;")
        return folder
    }

    private static let paths = ["/inspect/", "/inspect/acme/chatty", "/inspect/acme/chatty/page"]

    @Test("are there under a machine's names for itself alone", arguments: paths)
    func localNames(path: String) throws {
        let site = try TestSite(folder().load(inspects: true))
        for host in ["localhost", "127.0.0.1", "[::1]:8443"] {
            let answer = try site.get(path, host: host)
            #expect(answer.status == 200, "\(host)")
            #expect(answer.value("content-type") == "text/html; charset=utf-8")
        }
        #expect(try site.get(path, host: "pages.example").status == 404)
    }

    @Test("are nowhere unless they were asked for", arguments: paths + ["/inspect.html", "/inspect-app.js"])
    func askedFor(path: String) throws {
        #expect(try TestSite(folder().load()).get(path).status == 404)
    }

    @Test(
        "tell nobody which tenants there are: every door to identities looks the same",
        arguments: ["localhost", "pages.example"]
    )
    func doorsLookAlike(host: String) throws {
        let folder = try SigningFolder.make()
        try folder.write("public/inspect.html", TestFolder.page)
        try folder.write("public/inspect-app.js", "window.app = 1;")
        let site = try TestSite(folder.load(inspects: true))
        let answers = try ["acme/bridges/signer", "hosted/bridges/signer", "nobody/bridges/signer"].map { path in
            try site.sign("{}", at: "/api/v1/tenants/\(path)/identity", host: host, authorization: nil)
        }
        #expect(answers.allSatisfy { $0.status == 401 && $0.content == answers[0].content })
    }

    @Test("are nowhere at the paths of their files", arguments: ["/inspect.html", "/inspect-app.js", "/inspect"])
    func filesAreNotServed(path: String) throws {
        #expect(try TestSite(folder().load(inspects: true)).get(path).status == 404)
    }

    @Test("stand beside the pages, which stay as they are", arguments: ["localhost", "pages.example"])
    func pagesStay(host: String) throws {
        let folder = try folder()
        let plain = try TestSite(folder.load()).get("/acme/chatty.html", host: host)
        let inspected = try TestSite(folder.load(inspects: true)).get("/acme/chatty.html", host: host)
        #expect(plain.status == 200 && inspected.content == plain.content)
        #expect(inspected.fields.map { "\($0)" } == plain.fields.map { "\($0)" })
    }

    @Test("show a tenant with hosts of its own too, whose pages stay there")
    func tenantsWithHosts() throws {
        let folder = try folder()
        try folder.write("config/tenants/acme.json", TestFolder.tenant("k", hosts: ["chat.acme.example"]))
        let site = try TestSite(folder.load(inspects: true))
        #expect(try site.get("/inspect/acme/chatty/page").status == 200)
        #expect(try site.get("/inspect/acme/chatty").text.contains("https://chat.acme.example/chatty.html"))
        #expect(try site.get("/acme/chatty.html").status == 404)
        #expect(try site.get("/inspect/acme/chatty", host: "chat.acme.example").status == 404)
    }

    @Test("tell the page's data and fields, and let its frame ask for what the page may")
    func subject() throws {
        let site = try TestSite(folder().load(inspects: true))
        let view = try site.get("/inspect/acme/chatty")
        #expect(view.text.contains(#""config":{"key":"acme"}"#))
        #expect(view.text.contains(#""name":"Strict-Transport-Security","parts":[],"value":"max-age=31536000""#))
        #expect(view.text.contains(#""framedPath":"/inspect/acme/chatty/page""#))
        #expect(view.text.contains(#"["script-src","'strict-dynamic'","Safari from 15.4, Chrome","every page"]"#))
        let page = try site.get("/acme/chatty.html")
        #expect(view.value("permissions-policy") == page.value("permissions-policy"))
        #expect(view.values("content-security-policy").count == 1)
    }

    @Test(
        "go with no listener that others reach",
        arguments: [
            ("127.0.0.1", "127.0.0.1", nil), ("127.9.9.9", "::1", nil), ("0.0.0.0", "127.0.0.1", "0.0.0.0"),
            ("127.0.0.1", "::", "::"), ("192.168.1.20", "127.0.0.1", "192.168.1.20"),
        ] as [(String, String, String?)]
    )
    func listeners(first: String, admin: String, open: String?) {
        var settings = Settings()
        settings.listeners = [.init(address: first, port: 0, role: .secure)]
        settings.admin = .init(address: admin, port: 0, role: .plain)
        #expect(settings.openListener?.address == open)
    }
}
