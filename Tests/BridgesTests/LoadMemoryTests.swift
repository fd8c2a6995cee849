import Crypto
import JSON
import System
import Testing

@testable import Bridges

@Suite("A load's memory")
struct LoadMemoryTests {
    private let workspace: Workspace
    private let memory = LoadMemory()

    init() throws {
        workspace = try Fixture.workspace()
        try write("a")
        try write("b")
    }

    private func write(_ name: String, room: String = "hall", hosts: String = "") throws {
        let text = "{\"hosts\":[\(hosts)],\"bridges\":{\"parley\":{\"settings\":{\"room\":\"\(room)\"}}}}"
        try workspace.write("config/tenants/\(name).json", text)
    }

    private func load(
        previous: Catalog? = nil,
        trustingStamps: Bool = true,
        base: String = "https://bridges.example"
    ) -> Load {
        memory.files.beginPass(trustingStamps: trustingStamps)
        let source = CatalogSource(
            configDirectory: "\(workspace.root)/config",
            publicDirectory: "\(workspace.root)/public",
            publicBaseURL: base,
            secretsDirectory: "\(workspace.root)/secrets",
            revisionSalt: "1"
        )
        let load = CatalogLoader(source: source, memory: memory).load(previous: previous)
        memory.files.endPass(isWhole: load.catalog != nil)
        return load
    }

    @Test(
        "knows of a file that changes while several of a load read it as the first one saw it, and reads it once more"
    )
    func noticesChangesWhileReading() throws {
        let (files, path) = (memory.files, "\(workspace.root)/public/shared.js")
        try workspace.write("public/shared.js", "one")
        files.beginPass(trustingStamps: false)
        let (_, inputs) = files.recording {
            _ = try? files.bytes(of: path)
            try? workspace.write("public/shared.js", "two")
            _ = try? files.bytes(of: path)
        }
        files.beginPass(trustingStamps: false)
        #expect(!files.areCurrent(inputs))
    }

    private func editions(_ load: Load) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: (load.catalog?.tenants ?? []).map { ($0.name, $0.edition) })
    }

    @Test(
        "keeps each tenant's rendering as long as its files stay, however often they are read",
        arguments: [true, false]
    )
    func keepsRendering(trusts: Bool) throws {
        let first = editions(load())
        #expect(Set(first.values).count == 2)
        #expect(editions(load(trustingStamps: trusts)) == first)
        try write("a")
        #expect(editions(load(trustingStamps: trusts)) == first)
        try write("a", room: "den")
        let second = editions(load(trustingStamps: trusts))
        #expect(second["a"] != first["a"] && second["b"] == first["b"])
    }

    @Test("has the same inputs for the same files, and others for others")
    func tellsInputs() throws {
        _ = load()
        let first = memory.files.inputs
        try write("b")
        _ = load()
        #expect(memory.files.inputs == first)
        try write("b", room: "den")
        _ = load()
        #expect(memory.files.inputs != first)
        #expect(memory.files.inputs.keys == first.keys)
        workspace.remove("config/tenants/b.json")
        _ = load()
        #expect(memory.files.inputs["\(workspace.root)/config/tenants/b.json"] == nil)
    }

    @Test("renders all anew after a change of page, descriptor or base URL, with the outcome of a load without memory")
    func rendersAnew() throws {
        var last = editions(load())
        func expectAllNew(_ load: Load) {
            let now = editions(load)
            #expect(now.count == 2 && Set(now.values).isDisjoint(with: last.values))
            last = now
        }
        try workspace.write("public/core.js", "changed();")
        expectAllNew(load())
        try workspace.write(
            "config/bridges/parley.json",
            Fixture.descriptor.replacing("\"default\": \"north\"", with: "\"default\": \"south\"")
        )
        let changed = load()
        expectAllNew(changed)
        let fresh = workspace.loader(publicBaseURL: "https://bridges.example", serviceHosts: []).load()
        #expect(
            changed.catalog?.tenants.map { $0.bridges.map(\.revision) }
                == fresh.catalog?.tenants.map { $0.bridges.map(\.revision) }
        )
        expectAllNew(load(base: "https://other.example"))
        #expect(load(base: "https://other.example").catalog?.tenants[0].bridges[0].pageURL?.contains("other") == true)
    }

    @Test("tells the problems of files that it does not read again")
    func repeatsProblems() throws {
        try workspace.write("config/tenants/a.json", "{")
        let first = load()
        #expect(first.problems.count == 1 && first.leftOut == ["a"])
        let second = load(previous: first.catalog)
        #expect(second.problems == first.problems && second.leftOut == ["a"])
        try write("a")
        #expect(load(previous: second.catalog).problems == [])
    }

    @Test("reads no file again whose stamp is the same, unless it was too young to be trusted or is told to read all")
    func readsNothingAgain() throws {
        var time = Clock.wallNanoseconds
        let files = KnownFiles(now: { time })
        let path = "\(workspace.root)/config/tenants/a.json"
        func pass(trusting: Bool = true) throws -> Int {
            let before = files.inputs
            files.beginPass(trustingStamps: trusting)
            _ = before.isEmpty ? files.note([path]) : [:]
            if !before.isEmpty { #expect(files.areCurrent(before)) }
            return files.readCount
        }
        #expect(try pass() == 1)
        // It is younger than a step of its file system's clock: another write could have left the same stamp.
        #expect(try pass() == 1)
        time += 10_000_000_000
        #expect(try pass() == 1)
        #expect(try pass() == 0)
        #expect(try pass(trusting: false) == 1)
        #expect(try pass() == 0)
    }

    @Test("knows a tenant by its secrets too: one that is missing and comes, and one that changes")
    func followsSecrets() throws {
        try workspace.write(
            "config/tenants/a.json",
            """
            {"bridges":{"envoy":{"settings":{"inbox":"x"},"identity":{"secrets":[{"kid":"1","file":"k"}]}}}}
            """
        )
        #expect(load().leftOut == ["a"])
        try workspace.write("secrets/k", "first")
        let first = load()
        #expect(first.leftOut == [] && first.catalog?.tenants.count == 2)
        try workspace.write("secrets/k", "second")
        let second = load()
        #expect(editions(second)["a"] != editions(first)["a"] && editions(second)["b"] == editions(first)["b"])
        let key = try #require(second.catalog?.tenant("a")?.bridge("envoy")?.identity?.keys.first)
        #expect(key.secret.hmacSHA256(of: [1]) == Secret(Array("second".utf8)).hmacSHA256(of: [1]))
    }

    @Test("gives a host to another tenant as soon as its holder lets it go")
    func passesHosts() throws {
        try write("a", hosts: "\"h.example\"")
        let first = load()
        try write("b", hosts: "\"h.example\"")
        let second = load(previous: first.catalog)
        #expect(second.kept == ["b"])
        try write("a")
        let third = load(previous: second.catalog)
        #expect(third.kept == [] && third.catalog?.tenant("b")?.hosts == ["h.example"])
    }
}
