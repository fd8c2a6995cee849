import Crypto
import Glibc
import System
import Testing

@testable import Bridges

@Suite("A tenant's keys")
struct SecretTests {
    private let workspace: Workspace
    private var directory: String { workspace.root + "/secrets" }

    init() throws { workspace = try Workspace() }

    private func write(_ name: String, _ text: String, mode: UInt32 = 0o600) throws {
        try File.write(Array(text.utf8), to: "\(directory)/\(name)", mode: mode)
    }

    private func read(_ files: String..., from secretsDirectory: String?) -> (keys: [SigningKey], problems: [String]) {
        let entries = files.map { "{\"kid\":\"k-\($0)\",\"file\":\"\($0)\"}" }.joined(separator: ",")
        let identity = "{\"secrets\":[\(entries.replacing("k-x/", with: "k-"))]}"
        let tenant = "{\"bridges\":{\"envoy\":{\"settings\":{\"inbox\":\"i\"},\"identity\":\(identity)}}}"
        let result = Samples.tenant(tenant, secretsDirectory: secretsDirectory)
        return (result.draft?.bridges.first?.identity?.keys ?? [], result.problems)
    }

    private func signature(of keys: [SigningKey]) -> String? {
        keys.first?.secret.hmacSHA256(of: Array("user-123".utf8)).hexadecimal
    }

    private static let known = "ec55e42e5dac77d3ebddb6188de0c1f64614c9a57e4521914cff27bf458f2f9d"

    @Test("are their files' bytes without one line end", arguments: ["", "\n", "\r\n"])
    func lineEnds(end: String) throws {
        try write("a", "inbox-secret-A" + end)
        let result = read("a", from: directory)
        #expect(result.problems == [])
        #expect(signature(of: result.keys) == Self.known)
    }

    @Test(
        "keep every other byte",
        arguments: [" inbox-secret-A", "inbox-secret-A ", "inbox-secret-A\t\n", "\0", "\u{FEFF}k"]
    )
    func exactBytes(text: String) throws {
        try write("a", text)
        let result = read("a", from: directory)
        #expect(result.problems == [])
        #expect(try signature(of: result.keys) != Self.known && #require(result.keys.first).kid == "k-a")
    }

    @Test(
        "are not used from a file that holds no single line",
        arguments: [
            "", "\n", "\r\n", "a\nb", "a\n\n", "a\r\n\r\n", "a\rb", "a\r", "\na", String(repeating: "x", count: 4_097),
        ]
    )
    func refused(text: String) throws {
        try write("a", text)
        let result = read("a", from: directory)
        #expect(result.keys.isEmpty)
        #expect(result.problems.count == 1)
        #expect(result.problems.first?.contains("$.bridges.envoy.identity.secrets[0].file: found a file") == true)
    }

    @Test("come in their order, from folders below too, and the first one signs")
    func order() throws {
        try File.makeDirectory(directory + "/x")
        try write("x/b", "B")
        try write("a", "A")
        let keys = read("x/b", "a", from: directory).keys
        #expect(keys.map(\.kid) == ["k-b", "k-a"])
        let rule = try #require(Samples.descriptor(Fixture.signingDescriptor).value?.identity)
        let identity = TenantIdentity(rule: rule, keys: keys)
        #expect(identity.key(nil)?.kid == "k-b")
        #expect(identity.key("k-a")?.kid == "k-a")
        #expect(identity.key("k-c") == nil)
    }

    @Test("may be behind links inside of the folder, as Kubernetes makes them")
    func insideLinks() throws {
        try File.makeDirectory(directory + "/..2026_11_30")
        try write("..2026_11_30/a", "inbox-secret-A")
        symlink("..2026_11_30", directory + "/..data")
        symlink("..data/a", directory + "/a")
        #expect(signature(of: read("a", from: directory).keys) == Self.known)
    }

    @Test(
        "are not read through links out of the folder",
        arguments: ["../secrets-elsewhere", "/etc/hostname", "../config"]
    )
    func outsideLinks(target: String) throws {
        try workspace.write("secrets-elsewhere", "inbox-secret-A")
        symlink(target, directory + "/a")
        let result = read("a", from: directory)
        #expect(result.keys.isEmpty)
        #expect(result.problems.count == 1)
        #expect(result.problems.first?.contains("found a link that leads out of secretsDirectory") == true)
    }

    @Test("that others may read are used with a warning")
    func worldReadable() throws {
        try write("a", "inbox-secret-A", mode: 0o644)
        let result = read("a", from: directory)
        #expect(signature(of: result.keys) == Self.known)
        #expect(result.problems.map { $0.contains(": warning: ") && $0.contains("every user") } == [true])
    }

    @Test("need a folder of secrets, and a missing file or a folder is told without its name")
    func missing() throws {
        #expect(read("a", from: nil).problems.map { $0.contains(": warning: ") } == [true])
        try File.makeDirectory(directory + "/d")
        for name in ["hush", "d"] {
            let result = read(name, from: directory)
            #expect(result.problems.map { $0.contains("a file that can't be read: ") } == [true])
            #expect(!result.problems.joined().contains("hush\""))
        }
    }

    @Test("can't be shown, by themselves or in what holds them")
    func unprintable() throws {
        try write("a", "inbox-secret-A")
        let keys = read("a", from: directory).keys
        var dumped = ""
        dump(keys, to: &dumped)
        let bytes = "\(Array("inbox-secret-A".utf8))"
        for text in ["\(keys)", String(reflecting: keys), dumped, String(describing: keys.first?.secret)] {
            #expect(text.contains("(secret)"))
            #expect(!text.contains("inbox-secret-A"))
            #expect(!text.contains(bytes.dropFirst().dropLast()))
        }
        #expect(!dumped.contains("105"))
    }
}
