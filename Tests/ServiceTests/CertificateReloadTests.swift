import Crypto
import Glibc
import JSON
import System
import Testing

@testable import Service

@Suite("Certificates that are read again")
struct CertificateReloadTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try folder.certify("a.example", "b.example")
    }

    private func fingerprints(_ load: ServiceLoad) -> [[UInt8]] {
        load.servedCertificates.map(\.identity.leaf.fingerprint)
    }

    @Test("are the new ones, and named")
    func renews() throws {
        let first = folder.load()
        #expect(first.summary.renewedCertificates.isEmpty)
        try folder.certify("a.example", "b.example")
        let second = folder.load(previous: first)
        #expect(fingerprints(second) != fingerprints(first))
        #expect(second.summary.renewedCertificates == ["a.example", "b.example"].map { "\(folder.path)/\($0).chain" })
        #expect(second.summary.keptCertificates.isEmpty)
        #expect(folder.load(previous: second).summary.renewedCertificates.isEmpty)
    }

    @Test(
        "stay what they were, each for itself, when a file is half written, gone or of another pair",
        arguments: ["key", "chain"],
        ["another's", "half", "empty", "gone"]
    )
    func keeps(part: String, fault: String) throws {
        let first = folder.load()
        let file = "\(folder.path)/a.example.\(part)"
        try folder.certify("a.example", "b.example")
        let whole = try File.read(file)
        switch fault {
        case "another's": try File.write(File.read("\(folder.path)/b.example.\(part)"), to: file)
        case "half": try File.write(Array(whole[..<(whole.count / 2)]), to: file)
        case "empty": try File.write([], to: file)
        default: unlink(file)
        }
        let second = folder.load(previous: first)
        #expect(second.isServable && second.hasErrors)
        #expect(second.summary.keptCertificates == ["\(folder.path)/a.example.chain"])
        #expect(second.summary.renewedCertificates == ["\(folder.path)/b.example.chain"])
        #expect(fingerprints(second)[0] == fingerprints(first)[0])
        #expect(fingerprints(second)[1] != fingerprints(first)[1])
        // The last good one outlives several such reloads, and goes when the files are whole.
        let third = folder.load(previous: second)
        #expect(fingerprints(third)[0] == fingerprints(first)[0])
        try folder.certify("a.example", "b.example")
        let fourth = folder.load(previous: third)
        #expect(fourth.summary.keptCertificates.isEmpty && !fourth.hasErrors)
        #expect(fingerprints(fourth)[0] != fingerprints(first)[0])
    }

    @Test("are given up between two when nobody waits for them any more")
    func givesUp() {
        var told: [Int] = []
        let whole = ServiceLoader(folder.files).load(previous: nil) { _, total in
            told.append(total)
            return true
        }
        #expect(whole.isServable && told.prefix(2) == [0, 0])
        let given = ServiceLoader(folder.files).load(previous: whole) { _, _ in false }
        #expect(!given.isServable && given.settings == nil && given.servedCertificates.isEmpty)
    }

    @Test("refuse the reload when they were never good")
    func refusesNew() throws {
        let first = folder.load()
        folder.files.settings[0] += ".other"
        #expect(folder.load(previous: first).settings == nil)
    }

    @Test("stay what they were when the chain ends after its first certificate, which it did not before")
    func keepsChain() throws {
        let now = Clock.wallSeconds
        let authority = try CertificateMaker.authority(name: "test", days: 90, now: now)
        let leaf = try CertificateMaker.leaf(hosts: ["a.example"], authority: authority, days: 90, now: now)
        let chain = "\(folder.path)/a.example.chain"
        try File.write(leaf.key.pem(), to: "\(folder.path)/a.example.key")
        try File.write(leaf.leaf.pem() + authority.leaf.pem(), to: chain)
        let first = folder.load()
        #expect(!first.hasErrors)
        try File.write(leaf.leaf.pem(), to: chain)
        #expect(folder.load().summary.keptCertificates.isEmpty)
        #expect(folder.load(previous: first).summary.keptCertificates == [chain])
        // Better what some clients refuse than what all do.
        let late = CertificateLoader(serverFile: "", now: leaf.leaf.notAfter)
        let files = first.servedCertificates.compactMap(\.files)
        #expect(late.load(files, previous: first.servedCertificates, ProblemCollector()).allSatisfy { !$0.isKept })
    }

    @Test("stay what they were while they are valid and the new ones are not", arguments: [-400, 400])
    func keepsValid(days: Int) throws {
        let first = folder.load()
        let chain = "\(folder.path)/a.example.chain"
        let now = Clock.wallSeconds + days * 86_400
        let other = try CertificateMaker.selfSigned(hosts: ["a.example"], days: 90, now: now)
        try File.write(other.key.pem(), to: "\(folder.path)/a.example.key")
        try File.write(other.leaf.pem(), to: chain)
        let second = folder.load(previous: first)
        #expect(second.summary.keptCertificates == [chain] && fingerprints(second) == fingerprints(first))
        // A start has nothing better.
        #expect(!folder.load().hasErrors)
    }

    @Test("stay what they were when the new chain leads nowhere, not when its order alone is wrong")
    func keepsLinked() throws {
        let now = Clock.wallSeconds
        let authority = try CertificateMaker.authority(name: "test", days: 90, now: now)
        let other = try CertificateMaker.authority(name: "test", days: 90, now: now)
        let chain = "\(folder.path)/a.example.chain"
        func put(_ behind: Identity...) throws {
            try folder.put("a.example", by: authority, now: now, behind: behind)
        }
        try put(authority)
        let first = folder.load()
        try put(other)
        let second = folder.load(previous: first)
        #expect(second.summary.keptCertificates == [chain] && fingerprints(second) == fingerprints(first))
        #expect(second.problems.contains { "\($0)".contains("error: found a chain without the issuer of its leaf; ") })
        try put(other, authority)
        let third = folder.load(previous: second)
        #expect(third.summary.renewedCertificates == [chain] && !third.hasErrors)
        #expect(third.problems.contains { "\($0)".contains("as certificate 2 one that did not issue") })
    }

    @Test(
        "are the new ones when what issued them is missing from the chain as it was before",
        arguments: [false, true]
    )
    func takesSameGap(hasIssuer: Bool) throws {
        let now = Clock.wallSeconds
        let authority = try CertificateMaker.authority(name: "test", days: 90, now: now)
        let other = try CertificateMaker.authority(name: "test", days: 90, now: now)
        func put(_ behind: Identity...) throws {
            try folder.put("a.example", by: authority, now: now, behind: behind)
        }
        try hasIssuer ? put(other, authority) : put(other)
        let first = folder.load()
        try put(other)
        let second = folder.load(previous: first)
        #expect(second.summary.renewedCertificates.isEmpty == hasIssuer && second.hasErrors == hasIssuer)
    }

    @Test("are judged by leaf and issuer, not by what is out of its time behind them")
    func passesTail() throws {
        let now = Clock.wallSeconds
        let chain = "\(folder.path)/a.example.chain"
        let authority = try CertificateMaker.authority(name: "test", days: 90, now: now)
        let past = try CertificateMaker.authority(name: "test", days: 8, now: now - 10 * 86_400)
        func put(days: Int = 90, since start: Int = now, _ behind: Identity...) throws {
            try folder.put("a.example", by: authority, days: days, now: start, behind: behind)
        }
        try put(authority)
        let good = folder.load()
        try put(authority, past)
        let tailed = folder.load(previous: good)
        #expect(tailed.summary.renewedCertificates == [chain] && !tailed.hasErrors)
        #expect(
            tailed.problems.contains { "\($0)".contains("warning: found as certificate 3 one that expired 2 days ago") }
        )
        #expect(tailed.servedCertificates[0].identity.holds(at: now))
        try put()
        #expect(folder.load(previous: tailed).summary.keptCertificates == [chain])
        try put(days: 8, since: now - 10 * 86_400, authority)
        #expect(folder.load(previous: tailed).summary.keptCertificates == [chain])
        // A chain that clients refuse for its issuer protects its leaf alone.
        try put(past)
        let broken = folder.load()
        try put(past)
        #expect(folder.load(previous: broken).summary.renewedCertificates == [chain])
        try put(days: 8, since: now - 10 * 86_400, authority)
        #expect(folder.load(previous: broken).summary.keptCertificates == [chain])
    }

    @Test("stay what they were while all of their chain is valid and that of the new ones is not")
    func keepsValidChain() throws {
        let now = Clock.wallSeconds
        let chain = "\(folder.path)/a.example.chain"
        func put(_ days: Int) throws {
            let authority = try CertificateMaker.authority(name: "test", days: days, now: now - 10 * 86_400)
            try folder.put("a.example", by: authority, now: now, behind: [authority])
        }
        try put(90)
        let first = folder.load()
        try put(8)
        let second = folder.load(previous: first)
        #expect(second.summary.keptCertificates == [chain] && fingerprints(second) == fingerprints(first))
        #expect(
            second.problems.contains { "\($0)".contains("error: found as certificate 2 one that expired 2 days ago") }
        )
        // A start has nothing better, and what is no better than before is taken.
        let late = folder.load()
        #expect(!late.hasErrors)
        let (kept, shown) = ("The service keeps the valid one that it has.", "It is shown all the same.")
        for (load, words, others) in [(second, kept, shown), (late, shown, kept)] {
            let texts = load.problems.map { "\($0)" }
            #expect(texts.contains { $0.contains(words) } && !texts.contains { $0.contains(others) })
        }
        try put(8)
        #expect(folder.load(previous: late).summary.renewedCertificates == [chain])
    }

    @Test("are warned of when every user can read a key", arguments: [0o644, 0o640, 0o600])
    func warnsOfOpenKey(mode: UInt32) throws {
        let file = "\(folder.path)/a.example.key"
        try File.write(File.read(file), to: file, mode: mode)
        let load = folder.load()
        let told = load.problems.filter { $0.file == file }
        #expect(told.map(\.severity) == (mode == 0o644 ? [.warning] : []), "\(told)")
        #expect(!load.hasErrors)
    }

    @Test("are told of by each host that they leave without one")
    func tellsGaps() throws {
        folder.files.settings.append("hosts.0=c.example")
        try folder.write("config/tenants/acme.json", #"{"hosts":["b.example","d.example"],"bridges":{}}"#)
        let load = folder.load()
        #expect(load.summary.uncoveredHosts == ["c.example", "pages.example", "d.example"])
        let texts = load.problems.map { "\($0)" }
        #expect(texts.contains { $0.contains("server.json: warning: found the host \"c.example\"") })
        #expect(texts.contains { $0.contains("acme.json: warning: found the host \"d.example\"") })
        let status = ReloadStatus()
        status.note(start: load, now: 0)
        #expect(status.readiness(.ready).text.contains("no certificate covers d.example"))
    }

    @Test("refuse a start when a pair is broken")
    func refusesStart() throws {
        try File.write(File.read("\(folder.path)/b.example.key"), to: "\(folder.path)/a.example.key")
        #expect(folder.load().settings == nil)
    }

    @Test("are looked at once a day: what expires within 21 days is warned of, with its file")
    func warns() throws {
        let served = folder.load().servedCertificates
        let end = served[0].identity.leaf.notAfter
        let day = 86_400
        var watch = CertificateWatch(now: 5)
        #expect(watch.due == 5 + day * 1_000)
        #expect(watch.look(at: served, now: 7, wall: end - 22 * day).isEmpty)
        #expect(watch.due == 7 + day * 1_000)
        let soon = watch.look(at: served, now: 7, wall: end - 20 * day - 1)
        #expect(soon.map(\.file) == ["a.example", "b.example"].map { "\(folder.path)/\($0).chain" })
        #expect(
            "\(soon[0])".contains("warning: found a certificate that expires in 20 days; expected one that is valid")
        )
        let late = watch.look(at: [served[1]], now: 7, wall: end + day + 60)
        #expect(late.count == 1 && "\(late[0])".contains("expired 1 day ago"))
        let made = ServedCertificate(identity: served[0].identity, files: nil)
        #expect(watch.look(at: [made], now: 7, wall: end).isEmpty)
    }

    @Test("tell monitors until when they hold, and how many are not what their files say")
    func measures() throws {
        let first = folder.load()
        try File.write([], to: "\(folder.path)/a.example.key")
        let second = folder.load(previous: first)
        var writer = MetricsWriter()
        CertificateMetrics(certificates: second.servedCertificates + second.servedCertificates).write(into: &writer)
        for (one, host) in zip(second.servedCertificates, ["a.example", "b.example"]) {
            let labels = "file=\"\(folder.path)/\(host).chain\",name=\"\(host)\""
            let sample = "\nbridgehost_certificate_not_after_seconds{\(labels)} \(one.identity.leaf.notAfter)\n"
            #expect(writer.text.split(separator: sample, omittingEmptySubsequences: false).count == 2, "\(writer.text)")
        }
        #expect(writer.text.contains("\nbridgehost_certificates_kept 2\n"))
        let text = try TestSite(first).get("/metrics", at: .admin).text
        #expect(text.contains("\nbridgehost_certificates_kept 0\n"))
    }
}
