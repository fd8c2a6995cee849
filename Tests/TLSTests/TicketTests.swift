import COpenSSL
import Crypto
import Testing

@testable import TLS

@Suite("A session ticket")
struct TicketTests {
    private static let versions = [TLS1_2_VERSION, TLS1_3_VERSION]
    private let a: Identity
    private let b: Identity

    init() throws {
        a = try identity("a.example")
        b = try identity("b.example")
    }

    /// One connection that is served; what it resumed, and the client with its ticket.
    private func connect(
        _ keys: TicketKeys,
        _ version: CInt,
        to name: String? = "a.example",
        showing identities: [Identity]? = nil,
        resuming client: TestClient? = nil
    ) throws -> TestClient {
        let server = try TestServer(identities ?? [a, b], ticketKeys: keys)
        let options = TestClient.Options(serverName: name, maximumVersion: version)
        let next = try #require(TestClient(options, resuming: client?.session))
        #expect(server.handshake(with: next) == .done(1))
        #expect(next.read(server.send("x")) == "x")
        return next
    }

    @Test("resumes its session in whatever worker or process has its key, and in no other", arguments: versions)
    func resumesElsewhere(version: CInt) throws {
        let file = try #require(TicketKey([UInt8](0..<80)))
        let same = try #require(TicketKey([UInt8](0..<80)))
        let client = try connect(TicketKeys([file]), version)
        #expect(!client.isResumed)
        #expect(try connect(TicketKeys([same]), version, resuming: client).isResumed)
        #expect(try !connect(.random(), version, resuming: client).isResumed)
    }

    @Test("of an older key resumes too, and another takes its place", arguments: versions)
    func isRenewed(version: CInt) throws {
        let old = try TicketKey.random()
        let new = try TicketKey.random()
        let first = try connect(TicketKeys([old]), version)
        let second = try connect(TicketKeys([new, old]), version, resuming: first)
        #expect(second.isResumed)
        #expect(try connect(TicketKeys([new]), version, resuming: second).isResumed)
        #expect(try !connect(TicketKeys([new]), version, resuming: first).isResumed)
    }

    @Test("is no ticket to a host of another certificate", arguments: versions)
    func staysWithItsHost(version: CInt) throws {
        let keys = try TicketKeys.random()
        let client = try connect(keys, version)
        #expect(try connect(keys, version, resuming: client).isResumed)
        let other = try connect(keys, version, to: "b.example", resuming: client)
        #expect(!other.isResumed)
        #expect(other.shownFingerprint == b.leaf.fingerprint)
        #expect(try !connect(keys, version, to: nil, showing: [b], resuming: client).isResumed)
    }

    @Test(
        "is no ticket to another name of its certificate in TLS 1.2 (RFC 6066 §3); 1.3 leaves that to the certificate"
    )
    func staysWithItsName() throws {
        let keys = try TicketKeys.random()
        let both = [try identity("a.example", "b.example")]
        func resumes(_ version: CInt, _ names: (first: String?, then: String?)) throws -> Bool {
            let client = try connect(keys, version, to: names.first, showing: both)
            return try connect(keys, version, to: names.then, showing: both, resuming: client).isResumed
        }
        #expect(try !resumes(TLS1_2_VERSION, ("a.example", "b.example")))
        #expect(try !resumes(TLS1_2_VERSION, (nil, "b.example")))
        #expect(try resumes(TLS1_2_VERSION, ("a.example", "A.Example")))
        #expect(try resumes(TLS1_2_VERSION, (nil, nil)))
        #expect(try resumes(TLS1_3_VERSION, ("a.example", "b.example")))
    }

    @Test("ends with its certificate: a renewed one is shown to everybody", arguments: versions)
    func endsWithItsCertificate(version: CInt) throws {
        let keys = try TicketKeys.random()
        let client = try connect(keys, version)
        let renewed = try identity("a.example")
        let next = try connect(keys, version, showing: [renewed], resuming: client)
        #expect(!next.isResumed)
        #expect(next.shownFingerprint == renewed.leaf.fingerprint)
    }

    @Test("promises its client the time that its key opens for at least", arguments: versions)
    func hintsLifetime(version: CInt) throws {
        let client = try connect(.random(), version)
        #expect(SSL_SESSION_get_ticket_lifetime_hint(client.session) == TicketKeys.lifetime)
        #expect(TicketSchedule.period == TicketKeys.lifetime * 1_000)
    }

    @Test("has its key erased with the last session of the contexts that had it, and no sooner")
    func endsWithItsSessions() throws {
        weak var key: TicketKey?
        var server: TestServer?
        try {
            let old = try TicketKey.random()
            key = old
            server = try TestServer([a], ticketKeys: TicketKeys([old]))
        }()
        #expect(key != nil && server != nil)
        // A reload gives the worker another context; this session goes on with its own.
        server = nil
        #expect(key == nil)
    }

    @Test("is not given without a key", arguments: versions)
    func needsKey(version: CInt) throws {
        let client = try connect(TicketKeys([]), version)
        #expect(try !connect(.random(), version, resuming: client).isResumed)
    }

    @Test("has a key of 80 bytes exactly", arguments: [0, 48, 79, 81, 160])
    func hasOneSize(count: Int) {
        #expect(TicketKey([UInt8](repeating: 1, count: count)) == nil)
    }
}

@Suite("Ticket keys in memory")
struct TicketScheduleTests {
    private static let period = TicketSchedule.period

    @Test("are renewed every period, and each opens for one more")
    func areRenewed() throws {
        var schedule = try TicketSchedule(now: 1_000)
        let first = schedule.keys.keys
        #expect(first.count == 1)
        #expect(try !schedule.renew(now: 1_000 + Self.period - 1))
        #expect(try schedule.renew(now: 1_000 + Self.period))
        #expect(schedule.keys.keys.count == 2)
        #expect(schedule.keys.keys[1] === first[0])
        #expect(schedule.due == 1_000 + 2 * Self.period)
        #expect(try !schedule.renew(now: 1_000 + Self.period))
        #expect(try schedule.renew(now: 1_000 + 2 * Self.period))
        #expect(schedule.keys.keys.count == 2)
        #expect(!schedule.keys.keys.contains { $0 === first[0] })
    }

    @Test("are all new after a sleep of two periods")
    func endWithSleep() throws {
        var schedule = try TicketSchedule(now: 0)
        let first = schedule.keys.keys[0]
        #expect(try schedule.renew(now: 2 * Self.period))
        #expect(schedule.keys.keys.count == 1)
        #expect(schedule.keys.keys[0] !== first)
        #expect(schedule.due == 3 * Self.period)
    }

    @Test("of files are never renewed")
    func ofFilesStay() throws {
        var schedule = TicketSchedule(keys: try .random())
        #expect(schedule.due == nil)
        #expect(try !schedule.renew(now: .max))
    }
}
