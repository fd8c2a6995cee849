import HTTP
import Server
import Testing

@Suite("A server")
struct ServingTests {
    @Test("answers one request after another on one connection")
    func keepsAlive() throws {
        let service = try TestService()
        let peer = try #require(Peer(service.address))
        for path in ["/1", "/2", "/3"] {
            peer.send(request(path))
            #expect(peer.receive(until: "[\(path)]").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("answers pipelined requests in their order")
    func answersInOrder() throws {
        let service = try TestService()
        let peer = try #require(Peer(service.address))
        let paths = (1...16).map { "/\($0)" }
        peer.send(paths.map { request($0) }.joined())
        let text = peer.receive(until: "200 OK", times: 16) + peer.receive(until: "[/16]", times: 0)
        var rest = text[...]
        for path in paths.dropLast() {
            let found = try #require(rest.firstRange(of: "[\(path)]"))
            rest = rest[found.upperBound...]
        }
    }

    @Test("takes a request byte by byte")
    func takesBytes() throws {
        let service = try TestService()
        let peer = try #require(Peer(service.address))
        for byte in request("/slow", "Connection: close\r\n").utf8 { peer.send([byte]) }
        #expect(peer.receiveAll().hasSuffix("[/slow]"))
    }

    @Test("invites content that waits for 100 (Continue), and gives it to the responder")
    func continues() throws {
        let service = try TestService()
        let peer = try #require(Peer(service.address))
        peer.send("POST /c HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        #expect(peer.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        peer.send("hello")
        #expect(peer.receive(until: "hello").hasSuffix("[/c]hello"))
    }

    @Test("answers at once where the content makes no difference, and takes nothing after that for a request")
    func doesNotInvite() throws {
        let service = try TestService()
        let peer = try #require(Peer(service.address))
        let length = request("/hidden").utf8.count
        peer.send(request("/first"))
        peer.send("PUT /unread HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\nExpect: 100-continue\r\n\r\n")
        let head = peer.receive(until: "[/unread]")
        peer.send(request("/hidden"))
        let text = head + peer.receiveAll()
        #expect(text.occurrences(of: "HTTP/1.1 200 OK\r\n") == 2)
        #expect(text.occurrences(of: "HTTP/1.1 ") == 2)
        #expect(text.occurrences(of: "\r\nConnection: close\r\n") == 1)
        #expect(text.hasSuffix("[/unread]"))
    }

    @Test("answers nothing after a request that it refused")
    func ignoresWhatFollows() throws {
        let service = try TestService()
        let peer = try #require(Peer(service.address))
        peer.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + request("/smuggled"))
        let text = peer.receiveAll()
        #expect(text.hasPrefix("HTTP/1.1 400 "))
        #expect(text.occurrences(of: "HTTP/1.1 ") == 1)
        #expect(text.contains("\r\nConnection: close\r\n"))
    }

    @Test("sends a long answer whole to a reader with a small buffer, and the next after it")
    func servesSlowReaders() throws {
        let service = try TestService()
        let peer = try #require(Peer(service.address, receiveBuffer: 4_096))
        peer.send(request("/bytes/3000000") + request("/next", "Connection: close\r\n"))
        let text = peer.receiveAll()
        #expect(text.occurrences(of: "x") == 3_000_000 + "next".occurrences(of: "x"))
        #expect(text.hasSuffix("[/next]"))
    }

    @Test("serves other content from the next request on, on connections that stay open")
    func replacesContent() throws {
        let service = try TestService(workers: 2)
        let peer = try #require(Peer(service.address))
        peer.send(request("/p"))
        #expect(peer.receive(until: "[/p]").hasSuffix("[/p]"))
        service.server.replace(ServerContent(responder: PathResponder("new"), certificates: nil))
        var text = ""
        let changed = service.eventually {
            peer.send(request("/p"))
            text = peer.receive(until: "/p]")
            return text.hasSuffix("[new/p]")
        }
        #expect(changed)
    }

    @Test("spreads connections over its workers, and each counts its own")
    func counts() throws {
        let service = try TestService(workers: 2)
        for _ in 0..<20 {
            let peer = try #require(Peer(service.address))
            peer.send(request("/", "Connection: close\r\n"))
            #expect(peer.receiveAll().hasSuffix("[/]"))
        }
        #expect(service.server.counters.reduce(0) { $0 + $1[.accepted] } == 20)
        #expect(service.server.counters.reduce(0) { $0 + $1.requests.row(0).classes.reduce(0, +) } == 20)
        #expect(service.eventually { service.closes(.ended) == 20 })
    }
}
