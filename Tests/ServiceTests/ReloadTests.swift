import Bridges
import Glibc
import HTTP
import JSON
import Testing

@testable import Service

@Suite("Changes")
struct DebouncerTests {
    @Test("are looked at once it was quiet, and not before")
    func waitsForQuiet() {
        var debouncer = Debouncer()
        #expect(debouncer.due == nil)
        debouncer.note(now: 1_000)
        #expect(debouncer.due == 1_200)
        debouncer.note(now: 1_150)
        #expect(debouncer.due == 1_350)
        debouncer.clear()
        #expect(debouncer.due == nil)
    }

    @Test("that never stop are looked at all the same, and each time counts anew")
    func isPatientForSoLong() {
        var debouncer = Debouncer()
        for time in stride(from: 0, through: 5_000, by: 100) { debouncer.note(now: time) }
        #expect(debouncer.due == 2_000)
        debouncer.clear()
        debouncer.note(now: 6_000)
        #expect(debouncer.due == 6_200)
    }
}

@Suite("The watch over files")
struct FileWatchTests {
    @Test(
        "looks again at what could not be read for want of descriptors, and not at what is simply not there",
        arguments: [(EMFILE, true), (EIO, true), (ENOENT, false), (EACCES, false)]
    )
    func looksAgain(code: CInt, isAgain: Bool) throws {
        let folder = try TestFolder()
        let inputs: KnownFiles.Inputs = ["\(folder.path)/one.json": .unreadable(code)]
        let watch = try FileWatch()
        _ = watch.cover(inputs)
        _ = watch.beginLoad()
        _ = watch.cover(inputs)
        #expect((watch.due != nil) == isAgain)
    }
}

@Suite("Settings of a reload")
struct LiveSettingsTests {
    private func settings(_ more: String) throws -> Settings {
        let folder = try TestFolder()
        let listeners = "\"listeners\":[{\"address\":\"127.0.0.1\",\"port\":0}]"
        try folder.write("config/server.json", "{\(more.isEmpty ? listeners : "\(listeners),\(more)")}")
        return try #require(folder.load().settings)
    }

    @Test("name the keys that wait for a restart, as the file has them, and no others")
    func namesKeys() throws {
        let start = try settings("")
        #expect(start.keysForRestart(to: start) == [])
        let live = "\"hosts\":[\"a.example\"],\"watch\":false,\"timeouts\":{\"drainDelaySeconds\":3}"
        #expect(start.keysForRestart(to: try settings(live)) == [])
        let fixed =
            "\"workers\":9,\"limits\":{\"identitiesPerSecond\":7,\"headBytes\":2000,\"keptBytes\":2000000},\"timeouts\":{\"idleSeconds\":9}"
        #expect(
            start.keysForRestart(to: try settings(fixed))
                == [
                    "workers", "limits.headBytes", "limits.keptBytes", "limits.identitiesPerSecond",
                    "timeouts.idleSeconds",
                ]
        )
    }

    @Test(
        "of every key of the schema are either taken over or named, so that none is lost",
        arguments: [
            "admin": #"{"address":"127.0.0.1","port":1}"#, "unknownServerName": #""refuse""#,
            "hosts": #"["a.example"]"#,
            "publicBaseURL": #""https://a.example""#, "watch": "false", "workers": "9",
            "secretsDirectory": #""secrets""#,
        ]
    )
    func losesNone(key: String, value: String) throws {
        let start = try settings("")
        let now = try settings("\"\(key)\":\(value)")
        let isTaken = "\(start.adopting(now))" != "\(start)"
        #expect(isTaken != !start.keysForRestart(to: now).isEmpty)
    }

    @Test(
        "of every limit and time are either taken over or named",
        arguments: [
            "limits": [
                "headBytes", "targetBytes", "fields", "contentBytes", "connections", "connectionsPerAddress",
                "handshakes",
                "identitiesPerSecond", "identitiesPerSecondPerAddress", "failuresPerMinutePerAddress",
            ],
            "timeouts": [
                "handshakeSeconds", "headSeconds", "bodySeconds", "writeSeconds", "idleSeconds", "drainDelaySeconds",
                "drainSeconds",
            ],
        ]
    )
    func losesNoNumber(group: String, keys: [String]) throws {
        let start = try settings("")
        for key in keys {
            let value = key.hasSuffix("Bytes") ? 2_345 : 17
            let now = try settings("\"\(group)\":{\"\(key)\":\(value)}")
            let isTaken = "\(start.adopting(now))" != "\(start)"
            let named = start.keysForRestart(to: now)
            #expect(isTaken ? named == [] : named == ["\(group).\(key)"], "\(key)")
        }
    }
}

@Suite("The status of reloads")
struct ReloadStatusTests {
    private func metrics(_ status: ReloadStatus) -> String {
        var writer = MetricsWriter()
        ReloadMetrics(status: status).write(into: &writer)
        return writer.text
    }

    @Test("tells probes and monitors who is kept or left out, and why a change is not served")
    func tells() throws {
        let folder = try TestFolder()
        try folder.write("config/tenants/other.json", "{")
        let start = folder.load()
        let status = ReloadStatus()
        status.note(start: start, now: 100)
        #expect(
            status.readiness(.ready).text
                == #"{"kept":[],"leftOut":["other"],"status":"ready","tenants":1,"#
                + #""warnings":["tenant other is not served: its file has errors"]}"#
        )
        try folder.write("config/tenants/acme.json", "{")
        let next = folder.load(previous: start)
        status.note(.applied, next, served: next, keysForRestart: ["workers"], now: 200)
        var text = metrics(status)
        for line in [
            #"bridgehost_tenants{state="served"} 0"#, #"bridgehost_tenants{state="kept"} 1"#,
            #"bridgehost_tenants{state="left_out"} 1"#, #"bridgehost_config_problems{severity="error"} 2"#,
            #"bridgehost_config_problems{severity="warning"} 0"#, #"bridgehost_reloads_total{outcome="applied"} 1"#,
            #"bridgehost_reloads_total{outcome="refused"} 0"#, "bridgehost_reload_last_success_timestamp_seconds 200",
            "bridgehost_restart_needed 1",
        ] { #expect(text.contains("\(line)\n"), "\(line)") }
        #expect(status.readiness(.ready).text.contains("a restart is needed for workers"))
        try folder.write("config/server.json", "{")
        let broken = folder.load(previous: next)
        status.note(.refused, broken, served: next, keysForRestart: [], now: 300)
        text = metrics(status)
        #expect(text.contains("bridgehost_reload_last_success_timestamp_seconds 200\n"))
        #expect(text.contains("bridgehost_reloads_total{outcome=\"refused\"} 1\n"))
        #expect(status.readiness(.ready).text.contains("the last reload was refused"))
        #expect(status.readiness(.ready).text.contains("\"kept\":[\"acme\"]"))
    }

    @Test("says why requests are not wanted")
    func tellsStates() throws {
        let site = try TestSite(TestFolder().load())
        #expect(try site.get("/readyz", at: .admin).text.contains(#""status":"starting""#))
        site.readiness.isReady = true
        #expect(try site.get("/readyz", at: .admin).text.contains(#""status":"ready""#))
        site.readiness.isReady = false
        let answer = try site.get("/readyz", at: .admin)
        #expect(
            answer.status == 503 && answer.text.contains(#""reasons":["a stop was asked for"],"status":"draining""#)
        )
        #expect(answer.value("cache-control") == "no-store")
        #expect(try site.ask("HEAD /readyz HTTP/1.1\r\nHost: a\r\n\r\n", at: .admin).content.isEmpty)
        #expect(try site.ask("POST /readyz HTTP/1.1\r\nHost: a\r\n\r\n", at: .admin).status == 405)
    }
}

@Suite("A site of remembered parts")
struct SiteMemoryTests {
    private func site(_ load: ServiceLoad, _ memory: SiteMemory) throws -> TestSite {
        try TestSite(load, memory: memory)
    }

    /// All answers about some tenants, by path, with their fields.
    private func answers(_ site: TestSite, _ tenants: [String]) throws -> [String] {
        var paths = ["/api/v1/openapi.json", "/nowhere"]
        for name in tenants {
            paths += [
                "/\(name)/chatty.html", "/api/v1/tenants/\(name)/bridges", "/api/v1/tenants/\(name)/bridges/chatty",
            ]
        }
        return try paths.flatMap { path in
            try [Role.secure, .plain].flatMap { role in
                try ["", "Accept-Encoding: gzip\r\n", "Origin: https://app.example\r\n"].map { field in
                    let answer = try site.get(path, field, at: role)
                    return "\(path) \(role) \(field) \(answer.status) \(answer.fields) \(answer.content)"
                }
            }
        } + [try site.get("/tenants", at: .admin).text]
    }

    @Test("answers as one that was made anew does, after tenants changed, came and went")
    func isSame() throws {
        let folder = try TestFolder()
        let memory = SiteMemory()
        let loads = LoadMemory()
        func tenant(_ name: String, _ key: String, hosts: String = "") throws {
            try folder.write(
                "config/tenants/\(name).json",
                """
                {"hosts":[\(hosts)],"access":{"origins":["https://app.example"]},
                "bridges":{"chatty":{"settings":{"key":"\(key)"}}}}
                """
            )
        }
        let names = ["acme", "beta", "cato", "dora"]
        for name in names { try tenant(name, "1") }
        var last: ServiceLoad?
        let steps: [() throws -> Void] = [
            {}, { try tenant("beta", "2") }, { try folder.remove("config/tenants/acme.json") },
            { try tenant("acme", "3") }, { try tenant("cato", "1", hosts: "\"c.example\"") },
            {
                try folder.write("config/bridges/chatty.json", TestFolder.descriptor.replacing("Chatty", with: "Other"))
            },
        ]
        for step in steps {
            try step()
            let load = ServiceLoader(folder.files).load(previous: last, memory: loads, rereads: false)
            let (now, fresh) = (try site(load, memory), try TestSite(folder.load()))
            #expect(try answers(now, names) == answers(fresh, names))
            #expect(
                try now.get("/chatty.html", host: "c.example").status
                    == fresh.get("/chatty.html", host: "c.example").status
            )
            last = load
        }
        // What was made for tenants of before is still there for the last site alone.
        #expect(memory.tenants.keys.sorted() == names)
    }

    @Test("prepares a tenant again only when it was rendered anew")
    func preparesOnce() throws {
        let folder = try TestFolder()
        try folder.write("config/tenants/beta.json", TestFolder.tenant("beta"))
        let (memory, loads) = (SiteMemory(), LoadMemory())
        func stores() throws -> [String: ObjectIdentifier] {
            _ = try site(ServiceLoader(folder.files).load(previous: nil, memory: loads, rereads: false), memory)
            return memory.tenants.mapValues { ObjectIdentifier($0.part.store) }
        }
        let first = try stores()
        #expect(try stores() == first)
        try folder.write("config/tenants/beta.json", TestFolder.tenant("changed"))
        let second = try stores()
        #expect(second["acme"] == first["acme"] && second["beta"] != first["beta"])
    }
}
