import HTTP
import Server
import Testing

@Suite("What all connections keep together")
struct KeepingTests {
    /// More than the buffers between a server and a peer that does not read take.
    private static let answer = 20_000_000

    private func slowReader(_ service: TestService, _ requests: String = request("/bytes/\(answer)")) throws -> Peer {
        let peer = try #require(Peer(service.address, receiveBuffer: 4_096))
        let before = service.server.connectionLimits.currentKept
        peer.send(requests)
        #expect(
            service.eventually {
                service.server.connectionLimits.currentKept > before || service.closes(.tooMuchKept) > 0
            }
        )
        return peer
    }

    @Test("is counted while it is kept, unread answers and half requests, and no longer")
    func counts() throws {
        let service = try TestService()
        let limits = service.server.connectionLimits
        var reader: Peer? = try slowReader(service)
        #expect(limits.currentKept > 1_000_000)
        #expect((reader?.receive(atLeast: Self.answer) ?? 0) >= Self.answer)
        #expect(service.eventually { limits.currentKept == 0 })
        reader = nil
        let sender = try #require(Peer(service.address))
        sender.send(
            "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 50001\r\n\r\n" + String(repeating: "y", count: 50_000)
        )
        #expect(service.eventually { limits.currentKept > 50_000 })
        sender.send("y")
        #expect(sender.receive(atLeast: 50_001) >= 50_001)
        #expect(service.eventually { limits.currentKept == 0 })
        var gone: Peer? = try slowReader(service)
        #expect(gone != nil)
        gone = nil
        #expect(service.eventually { limits.currentKept == 0 && limits.current == 1 })
    }

    @Test("is bounded: who has stalled longest makes room for who comes, and is counted")
    func isBounded() throws {
        let service = try TestService { $0.connectionLimits.keptBytes = 44_000_000 }
        let readers = try (0..<3).map { _ in try slowReader(service) }
        #expect(service.eventually { service.closes(.tooMuchKept) == 1 })
        #expect(service.server.connectionLimits.currentKept <= 44_000_000)
        for (index, reader) in readers.enumerated() {
            #expect((reader.receive(atLeast: Self.answer) >= Self.answer) == (index > 0))
        }
    }

    @Test("ends whoever keeps too much alone")
    func endsOne() throws {
        let service = try TestService { $0.connectionLimits.keptBytes = 1 << 20 }
        let peer = try #require(Peer(service.address, receiveBuffer: 4_096))
        peer.send(request("/bytes/\(Self.answer)"))
        #expect(service.eventually { service.closes(.tooMuchKept) == 1 })
        #expect(service.server.connectionLimits.currentKept == 0)
    }

    @Test("gives nobody more than one answer ahead of reading when it is half of what may be")
    func isScarce() throws {
        let service = try TestService { $0.connectionLimits.keptBytes = 30_000_000 }
        let limits = service.server.connectionLimits
        let first = try slowReader(service)
        #expect(service.eventually { limits.currentKept > 15_000_000 })
        let before = limits.currentKept
        let second = try slowReader(service, String(repeating: request("/bytes/50000"), count: 400))
        let kept = limits.currentKept - before
        // What is not answered yet is kept as well, and is short.
        #expect(kept < 50_000 + 400 * 50, "\(kept)")
        #expect(second.receive(atLeast: 400 * 50_000) >= 400 * 50_000)
        #expect(first.receive(atLeast: Self.answer) >= Self.answer)
    }
}
