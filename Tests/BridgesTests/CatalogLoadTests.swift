import JSON
import Testing

@testable import Bridges

@Suite("Loading a catalog")
struct CatalogLoadTests {
    private func lines(_ load: Load, in workspace: Workspace) -> [String] {
        load.problems.map { $0.description.replacing(workspace.root + "/", with: "") }
    }

    @Test("Tenants and bridges come sorted, with everything made ready")
    func wholeCatalog() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/b.json", Fixture.tenant)
        try workspace.write(
            "config/tenants/a-1.json",
            #"{"hosts":["chat.a.example","b.a.example"],"bridges":{"parley":{"settings":{"room":"den"},"reportOnly":{"img-src":["https://i.a.example"]}},"envoy":{"settings":{"inbox":"i"}}}}"#
        )
        let load = workspace.loader().load()
        #expect(load.problems == [])
        #expect(load.leftOut == [] && load.kept == [])
        let catalog = try #require(load.catalog)
        #expect(catalog.bridges.map(\.name) == ["envoy", "parley"])
        #expect(catalog.tenants.map(\.name) == ["a-1", "b"])
        #expect(catalog.tenant("b")?.name == "b" && catalog.tenant("a-1")?.name == "a-1" && catalog.tenant("c") == nil)
        let tenant = catalog.tenants[0]
        #expect(tenant.hosts == ["chat.a.example", "b.a.example"])
        #expect(tenant.bridges.map(\.name) == ["envoy", "parley"])
        let parley = tenant.bridges[1]
        #expect(parley.pageURL == "https://chat.a.example/parley.html")
        #expect(catalog.tenants[1].bridges[0].pageURL == "https://bridges.example/b/parley.html")
        let page = try #require(parley.page)
        #expect(page.reportingEndpoints == "bridgehost=\"/reports/a-1/parley\"")
        #expect(page.contentSecurityPolicy.hasSuffix("; report-uri /reports/a-1/parley; report-to bridgehost"))
        #expect(!page.contentSecurityPolicy.contains("https://i.a.example"))
        #expect(page.reportOnlyPolicy?.contains("/a/ https://i.a.example;") == true)
        #expect(page.permissionsPolicy.contains("microphone=(self "))
        #expect(page.body == page.head + page.data + page.tail)
    }

    @Test("A tenant is found beside others whose names begin with its own")
    func sharedBeginning() throws {
        let workspace = try Fixture.workspace()
        let names = ["a", "a-1", "a-2", "a1", "a1-1"]
        for name in names { try workspace.write("config/tenants/\(name).json", Fixture.tenant) }
        let catalog = try #require(workspace.loader().load().catalog)
        #expect(catalog.tenants.map(\.name) == names)
        #expect(names.map { catalog.tenant($0)?.name } == names)
    }

    @Test("REST has the page's URL only where there is a page")
    func rest() throws {
        let workspace = try Fixture.workspace()
        try workspace.write(
            "config/tenants/t.json",
            #"{"bridges":{"parley":{"settings":{"room":"den"}},"envoy":{"enabled":false,"settings":{"inbox":"i"}}}}"#
        )
        let bridges = try #require(workspace.loader().load().catalog).tenants[0].bridges
        #expect(
            bridges.map { $0.restValue(tenant: "t").text } == [
                #"{"bridge":"envoy","config":{"inbox":"i"},"enabled":false,"revision":"\#(bridges[0].revision)","tenant":"t"}"#,
                #"{"bridge":"parley","config":{"room":"den","scriptURL":"https://cdn.parley.example/v1/parley.js","sound":true,"zone":"north"},"enabled":true,"pageURL":"https://bridges.example/t/parley.html","revision":"\#(bridges[1].revision)","tenant":"t"}"#,
            ]
        )
        #expect(bridges[0].page == nil)
    }

    @Test("The page's data says all that its script needs, on one line")
    func pageData() throws {
        let workspace = try Fixture.workspace()
        try workspace.write(
            "config/tenants/t.json",
            Samples.entry(
                #"{"settings":{"room":"den"},"enabled":false,"notice":"Closed","autoStart":true,"startTimeoutSeconds":5}"#
            )
        )
        let parley = try #require(workspace.loader().load().catalog).tenants[0].bridges[0]
        let expected: JSONValue = [
            "tenant": "t", "bridge": "parley", "revision": .string(parley.revision), "enabled": false,
            "notice": "Closed",
            "autoStart": true, "startTimeoutSeconds": 5, "overridable": ["greeting", "sound"],
            "native": [
                "handler": "parley", "android": ["object": "Parley", "method": "post"], "flutter": "parley",
                "body": "event",
            ],
            "config": [
                "room": "den", "zone": "north", "sound": true, "scriptURL": "https://cdn.parley.example/v1/parley.js",
            ],
        ]
        #expect(parley.page?.data == expected.bytes)
        #expect(parley.notice == "Closed")
    }

    @Test(
        "Any text comes out byte by byte, and can't leave its place",
        arguments: [
            "</script><script>alert(1)</script>", "<!--<script>", "\u{2028}\u{2029}", "\"'\\\\\"",
            "${1} $& \\1 %s {{x}}",
            "👩‍💻 é e\u{301}", "\u{0}\u{1}\u{7F}", "{}</script", String(repeating: "</SCRIPT >é\u{2028}", count: 250),
        ]
    )
    func hostileText(text: String) throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/t.json", Samples.settings("\"greeting\":\(JSONValue.string(text).text)"))
        let catalog = try #require(workspace.loader().load().catalog)
        let parley = catalog.tenants[0].bridges[0]
        let page = try #require(parley.page)
        #expect(!page.data.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "\n") })
        #expect(
            !page.data.elementsEqual("\u{2028}".utf8)
                && !String(decoding: page.data, as: UTF8.self).unicodeScalars.contains("\u{2028}")
        )
        for bytes in [page.data, parley.restValue(tenant: "t").bytes] {
            let greeting = try JSONReader.read(bytes).root.member("config")?.member("greeting")
            guard case .string(let read) = greeting?.content else {
                Issue.record("no greeting")
                return
            }
            #expect(Array(read.utf8) == Array(text.utf8))
        }
        var scanner = HTMLScanner(page.body)
        var raw: [[UInt8]] = []
        while let token = try scanner.next() {
            if case .rawText(let range) = token { raw.append(Array(page.body[range])) }
        }
        #expect(raw.filter { $0 == page.data }.count == 1)
        #expect(raw.count == 6)
    }

    @Test("Files of other kinds are ignored, and a name that can't be a tenant's is told")
    func names() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/ok.json", Fixture.tenant)
        for name in ["README.md", ".hidden.json", "ok.json~", "x.JSON", ".json"] {
            try workspace.write("config/tenants/\(name)", "?")
        }
        for name in ["api.json", "Bad.json", "é.json", "reports.json"] {
            try workspace.write("config/tenants/\(name)", Fixture.tenant)
        }
        let load = workspace.loader().load()
        #expect(load.catalog?.tenants.map(\.name) == ["ok"])
        #expect(load.leftOut == ["Bad", "api", "reports", "é"])
        #expect(lines(load, in: workspace).count == 4)
        #expect(
            lines(load, in: workspace)[0]
                == #"config/tenants/Bad.json: error: found the name "Bad"; expected a name that matches ^[a-z0-9][a-z0-9-]{0,62}$ and is none of: api, inspect, reports. Rename the file; other endings than .json are ignored."#
        )
        #expect(lines(load, in: workspace)[1].contains("found a name that the service uses itself"))
    }

    @Test("A broken tenant is left out and does not touch the others")
    func brokenTenant() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/a.json", "{")
        try workspace.write("config/tenants/b.json", Fixture.tenant)
        try workspace.write("config/tenants/c.json", "{\"x\":1,\n\"bridges\":{\"parley\":{}}}")
        let load = workspace.loader().load()
        #expect(load.catalog?.tenants.map(\.name) == ["b"])
        #expect(load.leftOut == ["a", "c"])
        #expect(
            lines(load, in: workspace).map { $0.prefix { $0 != " " } }
                == ["config/tenants/a.json:1:2:", "config/tenants/c.json:1:2:", "config/tenants/c.json:2:12:"]
        )
    }

    @Test("A broken descriptor or page gives no catalog, and all other problems are told as well")
    func brokenDescriptor() throws {
        let workspace = try Fixture.workspace(page: Fixture.page.replacing("<body>", with: "<body onload=x>"))
        try workspace.write("config/bridges/envoy.json", "{\"title\":1}")
        try workspace.write("config/tenants/t.json", #"{"host":1,"bridges":{"parley":{},"envoy":{},"other":{}}}"#)
        let load = workspace.loader().load()
        #expect(load.catalog == nil)
        #expect(
            lines(load, in: workspace) == [
                "config/bridges/envoy.json:1:10: error: $.title: found the number 1; expected a string.",
                "public/parley.html:9:7: error: found the event handler onload; expected addEventListener in a script. The policy blocks handlers in markup.",
                #"config/tenants/t.json:1:2: error: $.host: found the unknown key "host"; expected one of: $schema, access, bridges, hosts. Did you mean "hosts"?"#,
                #"config/tenants/t.json:1:45: error: $.bridges.other: found the unknown bridge "other"; expected one of: envoy, parley."#,
            ]
        )
    }

    @Test("A problem in a file that is put in is told by that file's line")
    func assetPositions() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("public/core.js", "a\r\n\r\n  '</script>'")
        #expect(
            lines(workspace.loader().load(), in: workspace).first?.hasPrefix(
                "public/core.js:3:4: error: found </script"
            ) == true
        )
        workspace.remove("public/core.js")
        #expect(
            lines(workspace.loader().load(), in: workspace) == [
                #"public/parley.html:11:1: error: found "core.js", which can't be read: No such file or directory; expected a file in public/."#
            ]
        )
    }

    @Test("Missing folders and pages are told")
    func missingFiles() throws {
        let workspace = try Fixture.workspace()
        workspace.remove("public/parley.html")
        let load = workspace.loader().load()
        #expect(load.catalog == nil)
        #expect(
            lines(load, in: workspace) == [
                "public/parley.html: error: found \"No such file or directory\" on reading it; expected the page that \(workspace.root)/config/bridges/parley.json names."
                    .replacing(workspace.root + "/", with: "")
            ]
        )
        let nowhere = CatalogLoader(
            source: CatalogSource(configDirectory: workspace.root + "/x", publicDirectory: workspace.root)
        )
        #expect(nowhere.load().catalog == nil)
        #expect(nowhere.load().problems.count == 2)
    }

    @Test("Two bridges can't share a page")
    func sharedPage() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/bridges/second.json", Fixture.descriptor)
        let load = workspace.loader().load()
        #expect(load.catalog == nil)
        #expect(
            lines(load, in: workspace).first?.contains(
                #"the page "parley.html", which is that of the bridge "parley" as well"#
            ) == true
        )
    }

    @Test("Progress counts every tenant's file, and goes on while they are rendered")
    func progress() throws {
        let workspace = try Fixture.workspace()
        for name in ["a", "b", "c"] {
            try workspace.write("config/tenants/\(name).json", name == "b" ? "x" : Fixture.tenant)
        }
        var steps: [[Int]] = []
        _ = workspace.loader().load { done, total in
            steps.append([done, total])
            return true
        }
        #expect(steps == [[1, 3], [2, 3], [3, 3], [3, 3], [3, 3], [3, 3]])
    }

    @Test("A load that is given up, while tenants are read or rendered, has no catalog", arguments: 1...6)
    func gaveUp(last: Int) throws {
        let workspace = try Fixture.workspace()
        for name in ["a", "b", "c"] { try workspace.write("config/tenants/\(name).json", Fixture.tenant) }
        var steps = 0
        let load = workspace.loader().load { _, _ in
            steps += 1
            return steps < last
        }
        #expect(load.catalog == nil)
        #expect(steps == last)
    }
}
