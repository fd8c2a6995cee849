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
        #expect(store.index(for: "B.A.EXAMPLE".utf8) == 1)
        #expect(store.index(for: "c.a.example".utf8) == 0)
        #expect(store.index(for: ".a.example".utf8) == nil)
        #expect(store.index(for: "".utf8) == nil)
    }

    @Test("is not made of nothing")
    func needsOne() {
        #expect(throws: TLSError.noCertificate) { try CertificateStore([]) }
    }
}
