import HTTP
import System
import Testing

@testable import Server

@Suite("Trusted proxies")
struct TrustedProxiesTests {
    private func proxies(_ fields: ForwardedFields = .xForwarded) throws -> TrustedProxies {
        let ranges = try ["10.0.0.0/8", "127.0.0.1", "2001:db8:1::/48"].map { text throws in try AddressRange(text) }
        return try #require(TrustedProxies(ranges, fields: fields))
    }

    /// Whom a request with that field is from, and how it came, as text.
    private func source(_ line: String, from peer: String, _ fields: ForwardedFields = .xForwarded) throws -> String {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n".utf8)
        var decoder = RequestDecoder(limits: RequestLimits())
        var head = RequestHead()
        guard case .request = decoder.next(bytes.span, into: &head) else { return "no request" }
        let address = try #require(SocketAddress(literal: peer, port: 5))
        let facts = ConnectionFacts(listener: 0, peer: address, proxies: try proxies(fields))
        let source = facts.source(of: head, bytes.span)
        #expect(facts.isSecure(head, bytes.span) == source.isSecure)
        return source.client.host + (source.isSecure.map { $0 ? " https" : " http" } ?? "")
    }

    @Test(
        "tell of the client: the first from the right that is none of them",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("192.0.2.1, 10.0.0.2", "192.0.2.1"),
            ("6.6.6.6, 192.0.2.1, 10.0.0.2", "192.0.2.1"),
            ("6.6.6.6, 192.0.2.1", "192.0.2.1"), ("2001:db8:2::9", "2001:db8:2::9"),
            ("2001:db8:2::9, 2001:db8:1::1, 127.0.0.1", "2001:db8:2::9"), ("10.0.0.3, 10.0.0.2", "10.0.0.3"),
            ("6.6.6.6, ::ffff:10.0.0.2", "6.6.6.6"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("6.6.6.6, x, 10.0.0.2", "10.0.0.2"), ("6.6.6.6, unknown", "10.9.9.9"), ("6.6.6.6, x", "10.9.9.9"),
            ("", "10.9.9.9"),
        ]
    )
    func findClient(value: String, client: String) throws {
        #expect(try source("X-Forwarded-For: \(value)", from: "10.9.9.9") == client)
        let elements = value.split(separator: ", ").map { $0.contains(":") ? "for=\"[\($0)]\"" : "for=\($0)" }
        let line = "Forwarded: " + elements.joined(separator: ", ")
        // Where a list of X-Forwarded-For has a word that is no address, that of Forwarded has one too.
        #expect(try source(line, from: "10.9.9.9", .forwarded) == client)
    }

    @Test("are nobody else: what others say does not count")
    func ignoreOthers() throws {
        for peer in ["192.0.2.9", "11.0.0.1", "127.0.0.2", "2001:db8:2::1"] {
            #expect(try source("X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Proto: https", from: peer) == peer)
            #expect(try source("Forwarded: for=10.0.0.1;proto=https", from: peer, .forwarded) == peer)
        }
    }

    @Test("tell how the client asked: in Forwarded the one that it asked, else the last that says so")
    func tellScheme() throws {
        let chain = "Forwarded: for=6.6.6.6;proto=https, for=192.0.2.1;proto=http, for=10.0.0.2;proto=https"
        #expect(try source(chain, from: "10.9.9.9", .forwarded) == "192.0.2.1 http")
        #expect(
            try source("Forwarded: for=192.0.2.1, for=10.0.0.2;proto=https", from: "10.9.9.9", .forwarded)
                == "192.0.2.1"
        )
        #expect(try source("Forwarded: for=unknown;proto=https", from: "10.9.9.9", .forwarded) == "10.9.9.9 https")
        let fields = "X-Forwarded-Proto: https\r\nX-Forwarded-For: 192.0.2.1, 10.0.0.2\r\nX-Forwarded-Proto: http"
        #expect(try source(fields, from: "10.9.9.9") == "192.0.2.1 http")
    }

    @Test("are none at all without a range")
    func needRanges() { #expect(TrustedProxies([]) == nil) }
}
