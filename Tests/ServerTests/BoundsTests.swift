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
        let peer = try #require(Peer(service.address))
        peer.send("GET / HTTP/1.1\r\nHo")
        #expect(peer.receiveAll().hasPrefix("HTTP/1.1 408 "))
    }

    @Test("answer 408 to content that does not come in time")
    func endsSlowBodies() throws {
        let service = try TestService { $0.timeouts.body = 50 }
        let peer = try #require(Peer(service.address))
        peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
        #expect(peer.receiveAll().hasPrefix("HTTP/1.1 408 "))
    }

    @Test("close a reader that does not read in time")
    func endsSlowReaders() throws {
        let service = try TestService { $0.timeouts.write = 50 }
        let peer = try #require(Peer(service.address, receiveBuffer: 4_096))
        peer.send(request("/bytes/9000000"))
        #expect(service.eventually { service.closes(.writeTimeout) == 1 })
    }

    @Test("turn away connections beyond the most, and take others when some have gone")
    func limitsConnections() throws {
        let service = try TestService { $0.connectionLimits.connections = 2 }
        var first = Peer(service.address)
        let second = try #require(Peer(service.address))
        first?.send(request("/1"))
        #expect(first?.receive(until: "[/1]").hasSuffix("[/1]") == true)
        second.send(request("/2"))
        #expect(second.receive(until: "[/2]").hasSuffix("[/2]"))
        let third = try #require(Peer(service.address))
        #expect(third.receiveAll().isEmpty)
        #expect(service.closes(.tooManyConnections) == 1)
        first = nil
        #expect(service.eventually { service.server.connectionLimits.current == 1 })
        let fourth = try #require(Peer(service.address))
        fourth.send(request("/4"))
        #expect(fourth.receive(until: "[/4]").hasSuffix("[/4]"))
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
