import JSON
import Testing

@testable import Bridges

@Suite("Reloading")
struct ReloadTests {
    private func tenant(hosts: [String], room: String = "hall") -> String {
        let list = hosts.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"hosts\":[\(list)],\"bridges\":{\"parley\":{\"settings\":{\"room\":\"\(room)\"}}}}"
    }

    private func hosts(_ catalog: Catalog?) -> [String: [String]] {
        Dictionary(uniqueKeysWithValues: (catalog?.tenants ?? []).map { ($0.name, $0.hosts) })
    }

    @Test("A file that breaks keeps its tenant's last good version, with its revision")
    func keepsLastGood() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/a.json", tenant(hosts: ["a.example"]))
        try workspace.write("config/tenants/b.json", tenant(hosts: []))
        let first = try #require(workspace.loader().load().catalog)
        try workspace.write("config/tenants/a.json", "{")
        try workspace.write("config/tenants/b.json", tenant(hosts: [], room: "den"))
        try workspace.write("public/core.js", "changed();")
        let load = workspace.loader().load(previous: first)
        let second = try #require(load.catalog)
        #expect(load.kept == ["a"] && load.leftOut == [])
        #expect(second.tenant("a")?.bridges[0].revision == first.tenant("a")?.bridges[0].revision)
        #expect(second.tenant("a")?.bridges[0].page?.tail == first.tenant("a")?.bridges[0].page?.tail)
        #expect(second.tenant("b")?.bridges[0].revision != first.tenant("b")?.bridges[0].revision)
        try workspace.write("config/tenants/a.json", tenant(hosts: ["a.example"]))
        let third = workspace.loader().load(previous: second)
        #expect(third.kept == [])
        #expect(third.catalog?.tenant("a")?.bridges[0].revision != first.tenant("a")?.bridges[0].revision)
    }

    @Test("A file that goes takes its tenant with it, and one that comes brings it")
    func comingAndGoing() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/a.json", tenant(hosts: ["a.example"]))
        let first = workspace.loader().load().catalog
        workspace.remove("config/tenants/a.json")
        try workspace.write("config/tenants/b.json", tenant(hosts: ["a.example"]))
        let load = workspace.loader().load(previous: first)
        #expect(load.problems == [])
        #expect(hosts(load.catalog) == ["b": ["a.example"]])
    }

    @Test("A broken descriptor gives no catalog, and names who would be kept")
    func brokenDescriptor() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/a.json", Fixture.tenant)
        let first = workspace.loader().load().catalog
        try workspace.write("config/bridges/envoy.json", "{}")
        let load = workspace.loader().load(previous: first)
        #expect(load.catalog == nil)
        #expect(load.problems.count == 1)
    }

    @Test("A new rule of a descriptor that a tenant breaks keeps the tenant as it was")
    func newRule() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/a.json", Fixture.tenant)
        let first = workspace.loader().load().catalog
        try workspace.write(
            "config/bridges/parley.json",
            Fixture.descriptor.replacing("^[a-z]{1,8}$", with: "^[a-z]{1,3}$")
        )
        let load = workspace.loader().load(previous: first)
        #expect(load.kept == ["a"])
        #expect(load.catalog?.tenant("a")?.bridges[0].revision == first?.tenant("a")?.bridges[0].revision)
    }

    @Test("Two files that claim one host: at start neither gets it")
    func claimedAtStart() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/a.json", tenant(hosts: ["x.example", "a.example"]))
        try workspace.write("config/tenants/b.json", tenant(hosts: ["b.example", "x.example"]))
        try workspace.write("config/tenants/c.json", tenant(hosts: ["c.example"]))
        let load = workspace.loader().load()
        #expect(hosts(load.catalog) == ["c": ["c.example"]])
        #expect(load.leftOut == ["a", "b"])
        #expect(
            load.problems.map { $0.description.replacing(workspace.root + "/config/tenants/", with: "") } == [
                #"a.json:1:11: error: $.hosts[0]: found the host "x.example", which tenant "b" claims as well; expected a host that no other tenant claims. Neither tenant is served until one file gives it up."#,
                #"b.json:1:23: error: $.hosts[1]: found the host "x.example", which tenant "a" claims as well; expected a host that no other tenant claims. Neither tenant is served until one file gives it up."#,
            ]
        )
    }

    @Test("On reload a host stays with the tenant that has it")
    func claimedOnReload() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/b.json", tenant(hosts: ["x.example"]))
        try workspace.write("config/tenants/c.json", tenant(hosts: ["c.example"]))
        let first = workspace.loader().load().catalog
        try workspace.write("config/tenants/a.json", tenant(hosts: ["x.example"]))
        try workspace.write("config/tenants/b.json", tenant(hosts: ["x.example"], room: "den"))
        try workspace.write("config/tenants/c.json", tenant(hosts: ["c.example", "x.example"], room: "den"))
        let load = workspace.loader().load(previous: first)
        #expect(hosts(load.catalog) == ["b": ["x.example"], "c": ["c.example"]])
        #expect(load.leftOut == ["a"] && load.kept == ["c"])
        #expect(load.catalog?.tenant("b")?.bridges[0].configuration != first?.tenant("b")?.bridges[0].configuration)
        #expect(load.problems.map(\.advice) == ["It stays with \"b\".", "It stays with \"b\"."])
    }

    @Test("A tenant that is kept keeps its hosts from those who claim them, and so on")
    func chains() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/a.json", tenant(hosts: ["a.example"]))
        try workspace.write("config/tenants/b.json", tenant(hosts: ["b.example"]))
        try workspace.write("config/tenants/c.json", tenant(hosts: ["c.example"]))
        let first = workspace.loader().load().catalog
        // Each moves on to the next one's host; the last is broken and stays, so that all stay.
        try workspace.write("config/tenants/a.json", tenant(hosts: ["b.example"]))
        try workspace.write("config/tenants/b.json", tenant(hosts: ["c.example"]))
        try workspace.write("config/tenants/c.json", "{")
        let stuck = workspace.loader().load(previous: first)
        #expect(hosts(stuck.catalog) == ["a": ["a.example"], "b": ["b.example"], "c": ["c.example"]])
        #expect(stuck.kept == ["a", "b", "c"])
        try workspace.write("config/tenants/c.json", tenant(hosts: ["a.example"]))
        let moved = workspace.loader().load(previous: first)
        #expect(hosts(moved.catalog) == ["a": ["b.example"], "b": ["c.example"], "c": ["a.example"]])
        #expect(moved.problems == [])
    }

    @Test("The same files give the same revisions in another load; anything that shows gives another")
    func revisions() throws {
        let workspace = try Fixture.workspace()
        try workspace.write("config/tenants/a.json", Fixture.tenant)
        let revision = { (loader: CatalogLoader) in loader.load().catalog?.tenants.first?.bridges.first?.revision }
        let first = try #require(revision(workspace.loader()))
        #expect(first.utf8.count == 16 && first.utf8.allSatisfy { $0.isDigit || (0x61...0x66).contains($0) })
        #expect(revision(workspace.loader()) == first)
        var seen: Set<String> = [first]
        let changes: [(String, () throws -> String?)] = [
            ("salt", { revision(workspace.loader(revisionSalt: "2")) }),
            ("base", { revision(workspace.loader(publicBaseURL: "https://other.example")) }),
            ("settings", { try change("config/tenants/a.json", Samples.settings(#""greeting":"x""#)) }),
            (
                "policy",
                {
                    try change(
                        "config/tenants/a.json",
                        Samples.entry(#"{"settings":{"room":"hall"},"policy":{"img-src":["https://i.example"]}}"#)
                    )
                }
            ),
            (
                "report",
                { try change("config/tenants/a.json", Samples.entry(#"{"settings":{"room":"hall"},"reportOnly":{}}"#)) }
            ),
            (
                "enabled",
                { try change("config/tenants/a.json", Samples.entry(#"{"settings":{"room":"hall"},"enabled":false}"#)) }
            ),
            (
                "notice",
                { try change("config/tenants/a.json", Samples.entry(#"{"settings":{"room":"hall"},"notice":""}"#)) }
            ),
            ("host", { try change("config/tenants/a.json", tenant(hosts: ["a.example"])) }),
            ("page", { try change("public/parley.html", Fixture.page + "\n") }),
            ("script", { try change("public/core.js", "x") }),
            (
                "permissions",
                {
                    try change(
                        "config/bridges/parley.json",
                        Fixture.descriptor.replacing("\"autoplay\": {}", with: "\"usb\": {}")
                    )
                }
            ),
            (
                "native",
                {
                    try change(
                        "config/bridges/parley.json",
                        Fixture.descriptor.replacing("\"parley\", \"body\"", with: "\"p\", \"body\"")
                    )
                }
            ),
        ]
        func change(_ file: String, _ text: String) throws -> String? {
            try workspace.write(file, text)
            return revision(workspace.loader())
        }
        for (what, revise) in changes {
            let changed = try #require(try revise())
            #expect(seen.insert(changed).inserted, "\(what)")
        }
    }

    @Test("Fields are framed, so that no two lists are one text")
    func framing() {
        #expect(Revision.of([[1], [2]]) != Revision.of([[1, 2]]))
        #expect(Revision.of([[1], []]) != Revision.of([[], [1]]))
        #expect(Revision.of([[]]) != Revision.of([]))
        #expect(Revision.of([]) == "e3b0c44298fc1c14")
    }
}
