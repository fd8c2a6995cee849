import HTTP
import Server
import System
import Testing

@Suite("A server's bounds")
struct BoundsTests {
    @Test("close what is idle too long, and count it")
    func closesIdle() throws {
        let service = try TestService { $0.timeouts.idle = 50 }
        let peer = try #require(Peer(service.address))
        #expect(peer.receiveAll().isEmpty)
        #expect(service.eventually { service.closes(.idleTimeout) == 1 })
    }

    @Test("answer 408 to a head that does not end in time")
    func endsSlowHeads() throws {
        let service = try TestService { $0.timeouts.head = 50 }
        var peer = Peer(service.address)
        peer?.send("GET / HTTP/1.1\r\nHo")
        #expect(peer?.receiveAll().hasPrefix("HTTP/1.1 408 ") == true)
        peer = nil
        #expect(service.eventually { service.closes(.headTimeout) == 1 })
    }

    @Test("answer 408 to content that does not come in time")
    func endsSlowBodies() throws {
        let service = try TestService { $0.timeouts.body = 50 }
        var peer = Peer(service.address)
        peer?.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
        #expect(peer?.receiveAll().hasPrefix("HTTP/1.1 408 ") == true)
        peer = nil
        #expect(service.eventually { service.closes(.bodyTimeout) == 1 })
    }

    @Test(
        "close a reader that does not read in time, also when the answer was to be the last",
        arguments: ["", "Connection: close\r\n"]
    )
    func endsSlowReaders(field: String) throws {
        let service = try TestService { $0.timeouts.write = 50 }
        let peer = try #require(Peer(service.address, receiveBuffer: 4_096))
        peer.send(request("/bytes/9000000", field))
        #expect(service.eventually { service.closes(.writeTimeout) == 1 })
    }

    @Test("let the connection that was idle longest make room for one beyond the most")
    func displacesIdle() throws {
        let service = try TestService { $0.connectionLimits.connections = 2 }
        let first = try #require(Peer(service.address))
        first.send(request("/1"))
        #expect(first.receive(until: "[/1]").hasSuffix("[/1]"))
        let second = try #require(Peer(service.address))
        second.send(request("/2"))
        #expect(second.receive(until: "[/2]").hasSuffix("[/2]"))
        try expectAnswer(service)
        #expect(first.receiveAll().isEmpty)
        #expect(service.closes(.tooManyConnections) == 1)
        second.send(request("/2"))
        #expect(second.receive(until: "[/2]").hasSuffix("[/2]"))
    }

    private static let refused = "broken\r\n\r\n"
    /// What nobody reads the answer to.
    private static let unread = "GET /bytes/9000000 HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(
        "let one that began something and does not go on make room for one beyond the most, the oldest first",
        arguments: ["GET /1 HTTP", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx", unread, refused]
    )
    func displacesHalfRequests(begun: String) throws {
        let service = try TestService {
            $0.connectionLimits.connections = 2
            $0.timeouts.linger = 60_000
        }
        let halves = try (0..<2).map { _ in
            let peer = try #require(Peer(service.address))
            let kept = service.server.connectionLimits.currentKept
            peer.send(begun)
            // What was refused lingers until the peer has read why; all else is kept.
            if begun == Self.refused { #expect(peer.receive()?.contains(" 400 ") == true) }
            #expect(service.eventually { service.server.connectionLimits.currentKept > kept || begun == Self.refused })
            return peer
        }
        try expectAnswer(service)
        let rest = halves[0].receiveAll()
        #expect(rest.isEmpty || begun == Self.unread && rest.utf8.count < 9_000_000)
        #expect(service.closes(begun == Self.refused ? .rejected : .tooManyConnections) == 1)
    }

    @Test("keep nobody out of an endpoint that is not limited")
    func exempts() throws {
        let service = try TestService(isLimited: false) {
            $0.connectionLimits.connections = 1
            $0.connectionLimits.connectionsPerAddress = 1
        }
        let peers = (0..<3).compactMap { _ in Peer(service.address) }
        for peer in peers { peer.send(request("/1")) }
        for peer in peers { #expect(peer.receive(until: "[/1]").hasSuffix("[/1]")) }
    }

    @Test("take an empty line after a request for none: the peer may end there, and its time to idle runs")
    func takesTrailingLines() throws {
        let service = try TestService { $0.timeouts.idle = 200 }
        var ending = Peer(service.address)
        ending?.send(request("/1") + "\r\n")
        #expect(ending?.receive(until: "[/1]").hasSuffix("[/1]") == true)
        ending = nil
        #expect(service.eventually { service.closes(.peerClosed) == 1 })
        let idling = try #require(Peer(service.address))
        idling.send(request("/2") + "\r\n")
        #expect(idling.receiveAll().hasSuffix("[/2]"))
        #expect(service.eventually { service.closes(.idleTimeout) == 1 })
    }

    private func expectAnswer(_ service: TestService) throws {
        let peer = try #require(Peer(service.address))
        peer.send(request("/new"))
        #expect(peer.receive(until: "[/new]").hasSuffix("[/new]"))
    }

    @Test("turn away an address that has too many connections")
    func limitsAddresses() throws {
        let service = try TestService { $0.connectionLimits.connectionsPerAddress = 1 }
        let first = try #require(Peer(service.address))
        first.send(request("/1"))
        #expect(first.receive(until: "[/1]").hasSuffix("[/1]"))
        let second = try #require(Peer(service.address))
        #expect(second.receiveAll().isEmpty)
        #expect(service.closes(.tooManyFromAddress) == 1)
    }

    @Test("an address that is taken is an error before anything is served", arguments: [1, 2])
    func refusesTakenAddress(workers: Int) throws {
        let service = try TestService(workers: 2)
        #expect(throws: ServerError.self) {
            var configuration = ServerConfiguration(
                endpoints: [.init(address: service.address, usesTLS: false)],
                workers: workers
            )
            configuration.timeouts = Timeouts()
            _ = try ServerSockets(configuration)
        }
    }
}

@Suite("A drain")
struct DrainTests {
    @Test("ends idle connections, answers what is under way with a close, and then the workers end")
    func drains() throws {
        let service = try TestService(workers: 2)
        let idle = try #require(Peer(service.address))
        idle.send(request("/idle"))
        #expect(idle.receive(until: "[/idle]").hasSuffix("[/idle]"))
        let busy = try #require(Peer(service.address))
        busy.send("GET /busy HTTP/1.1\r\nHost:")
        #expect(service.eventually { service.server.connectionLimits.current == 2 })
        service.server.drain()
        #expect(idle.receiveAll().isEmpty)
        busy.send(" a\r\n\r\n")
        let answer = busy.receiveAll()
        #expect(answer.hasSuffix("[/busy]"))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(service.eventually { service.server.isFinished })
        #expect(Peer(service.address) == nil)
    }

    @Test("does not wait for a client beyond its deadline")
    func hasDeadline() throws {
        let service = try TestService { $0.drainDeadline = 50 }
        let peer = try #require(Peer(service.address))
        peer.send("GET /")
        #expect(service.eventually { service.server.connectionLimits.current == 1 })
        service.server.drain()
        #expect(service.eventually { service.server.isFinished })
        #expect(peer.receiveAll().isEmpty)
    }
}
