import HTTP
import Server
import System
import TLS
import Testing

/// Answers every request with the address that it is from.
private final class ClientResponder: Responder {
    func respond(
        to head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        content: Content,
        on connection: borrowing ConnectionFacts,
        into writer: inout ResponseWriter
    ) {
        let client = connection.source(of: head, bytes).client
        writer.write(.ok, fields: [], content: Array("[\(connection.peer) \(client.host)]".utf8))
    }

    func wantsContent(
        of head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        on connection: borrowing ConnectionFacts
    ) -> Bool { true }

    func reject(_ rejection: Rejection, on connection: borrowing ConnectionFacts, into writer: inout ResponseWriter) {
        writer.write(rejection.status, fields: [], content: [])
    }
}

@Suite("A server that takes PROXY headers")
struct ProxyServingTests {
    private func service(
        trusts ranges: [String] = ["127.0.0.1"],
        _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) throws -> TestService {
        let ranges = try ranges.map { text throws in try AddressRange(text) }
        let service = try TestService { configuration in
            configuration.endpoints = configuration.endpoints.map {
                .init(address: $0.address, usesTLS: false, takesProxyHeader: true)
            }
            configuration.trustedProxies = TrustedProxies(ranges)
            change(&configuration)
        }
        service.server.replace(ServerContent(responder: ClientResponder(), certificates: nil))
        return service
    }

    private func ask(_ service: TestService, _ pieces: [[UInt8]], _ expected: String) throws {
        let peer = try #require(Peer(service.address))
        for piece in pieces { peer.send(piece) }
        #expect(peer.receive(until: expected).hasSuffix(expected), "\(pieces)")
    }

    @Test("serves the client that is announced, whole, glued to the request, and byte by byte")
    func announces() throws {
        let service = try service()
        let asked = Array(request("/").utf8)
        for (header, client) in [
            (Headers.line("192.0.2.1"), "192.0.2.1:4711 192.0.2.1"), (Headers.line("::5"), "[::5]:4711 ::5"),
            (Headers.binary(0x11, Headers.four), "192.0.2.1:4660 192.0.2.1"),
        ] {
            try ask(service, [header, asked], "[\(client)]")
            try ask(service, [header + asked], "[\(client)]")
            try ask(service, (header + asked).map { [$0] }, "[\(client)]")
            for place in header.indices.dropFirst() {
                try ask(service, [Array(header[..<place]), header[place...] + asked], "[\(client)]")
            }
        }
        #expect(service.eventually { service.server.connectionLimits.current == 0 })
        #expect(service.server.connectionLimits.currentHandshakes == 0)
    }

    @Test("serves the proxy itself where it announces nobody, and believes no fields then: they may be anybody's")
    func servesProxy() throws {
        let service = try service()
        let asked = Array(request("/", "X-Forwarded-For: 192.0.2.7\r\n").utf8)
        for header in [Array("PROXY UNKNOWN\r\n".utf8), Headers.binary(0x20, 0, [])] {
            try ask(service, [header + asked], " 127.0.0.1]")
        }
        try ask(service, [Headers.line("192.0.2.1") + asked], "[192.0.2.1:4711 192.0.2.1]")
        try ask(service, [Headers.line("127.0.0.1") + asked], "[127.0.0.1:4711 192.0.2.7]")
    }

    @Test("closes what others send, and what is no header, and says why")
    func refuses() throws {
        let strict = try service(trusts: ["10.0.0.0/8"])
        let stranger = try #require(Peer(strict.address))
        stranger.send(Headers.line("192.0.2.1"))
        #expect(stranger.receiveAll().isEmpty)
        #expect(strict.closes(.untrustedPeer) == 1)
        let service = try service()
        let plain = try #require(Peer(service.address))
        plain.send(request("/"))
        #expect(plain.receiveAll().isEmpty)
        #expect(service.eventually { service.closes(.malformedProxyHeader) == 1 })
        #expect(service.server.connectionLimits.current == 0)
    }

    @Test("counts the announced address, not the proxy's, and gives its place back")
    func countsClients() throws {
        let service = try service { $0.connectionLimits.connectionsPerAddress = 1 }
        for _ in 0..<3 {
            var first = Peer(service.address)
            let other = try #require(Peer(service.address))
            first?.send(Headers.line("192.0.2.1") + Array(request("/").utf8))
            #expect(first?.receive(until: "]").hasSuffix(" 192.0.2.1]") == true)
            other.send(Headers.line("192.0.2.2") + Array(request("/").utf8))
            #expect(other.receive(until: "]").hasSuffix(" 192.0.2.2]"))
            let second = try #require(Peer(service.address))
            second.send(Headers.line("192.0.2.1") + Array(request("/").utf8))
            #expect(second.receiveAll().isEmpty)
            first = nil
            #expect(service.eventually { service.server.connectionLimits.current == 1 })
        }
        #expect(service.closes(.tooManyFromAddress) == 3)
    }

    @Test("gives up a header that does not end, and keeps no place for it")
    func bounds() throws {
        let service = try service { $0.timeouts.handshake = 50 }
        let silent = try #require(Peer(service.address))
        #expect(silent.receiveAll().isEmpty)
        let slow = try #require(Peer(service.address))
        slow.send("PROXY TCP4")
        #expect(slow.receiveAll().isEmpty)
        #expect(service.eventually { service.closes(.handshakeTimeout) == 2 })
        #expect(service.server.connectionLimits.current == 0 && service.server.connectionLimits.currentHandshakes == 0)
    }
}
