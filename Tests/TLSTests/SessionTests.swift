import COpenSSL
import Crypto
import Testing

@testable import TLS

@Suite("A TLS session")
struct SessionTests {
    @Test("carries data both ways", arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func carriesData(version: CInt) throws {
        let server = try TestServer([identity("a.example")], ticketKeys: .random())
        let client = try #require(TestClient(.init(maximumVersion: version)))
        #expect(server.handshake(with: client) == .done(1))
        #expect(client.version == version)
        #expect(server.receive(client.write("ping")) == "ping")
        #expect(client.read(server.send("pong")) == "pong")
    }

    @Test("refuses versions before 1.2")
    func refusesOldVersions() throws {
        let server = try TestServer([identity("a.example")], ticketKeys: .random())
        let client = try #require(
            TestClient(.init(maximumVersion: TLS1_1_VERSION, minimumVersion: TLS1_1_VERSION))
        )
        #expect(server.handshake(with: client) != .done(1))
        #expect(!client.isFinished)
    }

    @Test(
        "agrees on http/1.1, else http/1.0, and refuses a client that offers only others",
        arguments: [
            (["h2", "http/1.1"], "http/1.1"), (["http/1.0", "http/1.1"], "http/1.1"), (["http/1.0"], "http/1.0"),
            ([], ""),
        ]
    )
    func choosesProtocol(offered: [String], chosen: String) throws {
        let server = try TestServer([identity("a.example")], ticketKeys: .random())
        let client = try #require(TestClient(.init(protocols: offered)))
        #expect(server.handshake(with: client) == .done(1))
        #expect(client.chosenProtocol == chosen)
        let other = try TestServer([identity("a.example")], ticketKeys: .random())
        let stranger = try #require(TestClient(.init(protocols: ["h2"])))
        #expect(other.handshake(with: stranger) != .done(1))
    }

    @Test(
        "shows the certificate of the server name, else the first",
        arguments: [
            ("b.example", 1), ("x.c.example", 2), ("x.y.c.example", 0), ("unknown.example", 0), (nil, 0),
        ]
    )
    func choosesCertificate(name: String?, index: Int) throws {
        let identities = [try identity("a.example"), try identity("b.example"), try identity("*.c.example")]
        let server = try TestServer(identities, ticketKeys: .random())
        let client = try #require(TestClient(.init(serverName: name)))
        #expect(server.handshake(with: client) == .done(1))
        #expect(client.shownFingerprint == identities[index].leaf.fingerprint)
        let named = server.session.namedCertificate
        #expect(named?.fingerprint == (name == nil ? nil : identities[index].leaf.fingerprint))
    }

    @Test("shows the certificate of the first hello's name, whatever a second one names")
    func keepsChoice() throws {
        let identities = [try identity("a.example"), try identity("b.example"), try identity("c.example")]
        let server = try TestServer(identities, ticketKeys: .random())
        // The first share is of a group that the server has not, so that it asks for another hello.
        let client = try #require(TestClient(.init(serverName: "b.example", groups: "X448:P-256")))
        #expect(server.handshake(with: client) { client.ask(for: "c.example") } == .done(1))
        #expect(client.shownFingerprint == identities[1].leaf.fingerprint)
        #expect(server.session.namedCertificate?.fingerprint == identities[1].leaf.fingerprint)
    }

    @Test("refuses a name of no certificate where it is told to, and takes no name as before")
    func refusesUnknownNames() throws {
        func end(_ name: String?) throws -> (TLSSession.Step, alert: String) {
            let server = try TestServer([identity("a.example")], ticketKeys: .random(), refusesUnknownNames: true)
            let client = try #require(TestClient(.init(serverName: name)))
            return (server.handshake(with: client), client.error)
        }
        #expect(try end("b.example").alert.contains("unrecognized name"))
        #expect(try end("a.example").0 == .done(1))
        #expect(try end(nil).0 == .done(1))
    }

    @Test("takes one reference to the exchange's BIO, so that it ends with the last session")
    func takesOneReference() throws {
        final class Ending { var count = 0 }
        let ending = Ending()
        try {
            let server = try TestServer([identity("a.example")], ticketKeys: .random())
            BIO_set_callback_arg(server.exchange.bio, Unmanaged.passUnretained(ending).toOpaque())
            BIO_set_callback_ex(server.exchange.bio) { bio, operation, _, _, _, _, result, _ in
                guard operation == BIO_CB_FREE, let argument = BIO_get_callback_arg(bio) else { return CLong(result) }
                Unmanaged<Ending>.fromOpaque(argument).takeUnretainedValue().count += 1
                return 1
            }
            for _ in 0..<3 { _ = try TLSSession(context: server.context, exchange: server.exchange) }
            #expect(ending.count == 0)
        }()
        #expect(ending.count == 1)
    }

    @Test("fails on bytes that are no TLS, and leaves no error for the next session")
    func failsOnGarbage() throws {
        let server = try TestServer([identity("a.example")], ticketKeys: .random())
        let garbage = [UInt8]("GET / HTTP/1.1\r\n\r\n".utf8)
        let step = garbage.withUnsafeBytes { bytes in
            server.exchange.withInput(bytes) { server.session.handshake() }
        }
        guard case .failed = step else { return #expect(Bool(false), "garbage was taken as TLS") }
        #expect(ERR_peek_error() == 0)
    }

    @Test("gives all that one write makes to the exchange, however long")
    func writesLongAnswers() throws {
        let server = try TestServer([identity("a.example")], ticketKeys: .random())
        let client = try #require(TestClient())
        #expect(server.handshake(with: client) == .done(1))
        let text = String(repeating: "0123456789abcdef", count: 5_000)
        var received = client.read(server.send(text))
        while received.utf8.count < text.utf8.count {
            let more = client.read([])
            guard !more.isEmpty else { break }
            received += more
        }
        #expect(received == text)
    }
}

@Suite("A certificate store")
struct CertificateStoreTests {
    @Test("prefers an exact name to a wildcard and folds ASCII case")
    func prefersExact() throws {
        let store = try CertificateStore([identity("*.a.example"), identity("b.a.example")])
        func index(_ name: String) -> Int? { store.index(for: name.utf8) { _ in true } }
        #expect(index("B.A.EXAMPLE") == 1)
        #expect(index("c.a.example") == 0)
        #expect(index(".a.example") == nil)
        #expect(index("") == nil)
    }

    @Test("of several for a name chooses the first that the client can verify, exact names first, else the first")
    func choosesByKey() throws {
        let identities = [
            try identity("*.a.example"), try identity("b.a.example"), try identity("b.a.example"),
            try identity("c.example"),
        ]
        let store = try CertificateStore(identities)
        func index(_ name: String, _ verifiable: Int...) -> Int? {
            store.index(for: name.utf8) { key in verifiable.contains { identities[$0].key === key } }
        }
        #expect(index("b.a.example", 0, 1, 2) == 1)
        #expect(index("b.a.example", 0, 2) == 2)
        #expect(index("b.a.example", 0) == 0)
        #expect(index("b.a.example") == 1)
        #expect(index("b.a.example", 3) == 1)
        #expect(index("d.example", 3) == nil)
    }

    @Test("shows who asks for nobody the first, or one for all of its names, never another host's")
    func choosesDefault() throws {
        let identities = [
            try identity("a.example", "b.a.example", "127.0.0.1"), try identity("c.example"),
            try identity("a.example", "b.a.example"), try identity("A.example", "*.a.example", "127.0.0.1"),
        ]
        let store = try CertificateStore(identities)
        func index(_ verifiable: Int...) -> Int {
            store.defaultIndex { key in verifiable.contains { identities[$0].key === key } }
        }
        #expect(index(0, 1, 2, 3) == 0)
        #expect(index(1, 2, 3) == 3)
        #expect(index(1, 2) == 0)
        #expect(index() == 0)
        let wildcards = [try identity("*.a.example"), try identity("b.a.example"), try identity("*.A.example")]
        let other = try CertificateStore(wildcards)
        #expect(other.defaultIndex { $0 !== wildcards[0].key } == 2)
    }

    @Test("is not made of nothing")
    func needsOne() {
        #expect(throws: TLSError.noCertificate) { try CertificateStore([]) }
    }
}
