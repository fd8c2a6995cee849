import HTTP
import System
import Testing

@testable import Server

@Suite("Counting connections")
struct ConnectionLimitsTests {
    private func limits(_ connections: Int, perAddress: Int, handshakes: Int = 9) -> ConnectionLimits {
        var values = ConnectionLimits.Values()
        values.connections = connections
        values.connectionsPerAddress = perAddress
        values.handshakes = handshakes
        return ConnectionLimits(values)
    }

    private func address(_ literal: String) throws -> SocketAddress {
        try #require(SocketAddress(literal: literal, port: 1))
    }

    @Test("refuses what is beyond a limit, says which, and counts it out again")
    func refuses() throws {
        let limits = limits(3, perAddress: 2, handshakes: 1)
        let (one, other) = (try address("192.0.2.1"), try address("192.0.2.2"))
        #expect(limits.enter(one, usesTLS: true) == nil)
        #expect(limits.enter(one, usesTLS: true) == .tooManyHandshakes)
        limits.endHandshake()
        #expect(limits.enter(one, usesTLS: true) == nil)
        #expect(limits.enter(one, usesTLS: false) == .tooManyFromAddress)
        #expect(limits.enter(other, usesTLS: false) == nil)
        #expect(limits.enter(other, usesTLS: false) == .tooManyConnections)
        #expect(limits.current == 3)
        #expect(limits.currentHandshakes == 1)
        limits.leave(one, duringHandshake: true)
        #expect(limits.enter(other, usesTLS: true) == nil)
    }

    @Test("tells an address that has too many so, whatever else is full")
    func blamesAddress() throws {
        let limits = limits(1, perAddress: 1, handshakes: 1)
        #expect(limits.enter(try address("192.0.2.1"), usesTLS: true) == nil)
        #expect(limits.enter(try address("192.0.2.1"), usesTLS: true) == .tooManyFromAddress)
    }

    @Test("counts what is not limited, and never refuses it")
    func exempts() throws {
        let limits = limits(1, perAddress: 1)
        let peer = try address("127.0.0.1")
        for _ in 0..<3 { #expect(limits.enter(peer, usesTLS: false, isLimited: false) == nil) }
        #expect(limits.current == 3)
    }

    @Test("takes a /64 of IPv6 for one address")
    func groupsIPv6() throws {
        let limits = limits(9, perAddress: 1)
        #expect(limits.enter(try address("2001:db8:1:2::1"), usesTLS: false) == nil)
        #expect(limits.enter(try address("2001:db8:1:2:ffff::9"), usesTLS: false) == .tooManyFromAddress)
        #expect(limits.enter(try address("2001:db8:1:3::1"), usesTLS: false) == nil)
    }

    @Test("counts a connection for an address that is known later, and for none that has too many")
    func assigns() throws {
        let limits = limits(9, perAddress: 1)
        let peer = try address("192.0.2.1")
        #expect(limits.enter(nil, usesTLS: true) == nil)
        #expect(limits.enter(nil, usesTLS: true) == nil)
        #expect(limits.assign(to: peer, isLimited: true))
        #expect(!limits.assign(to: peer, isLimited: true))
        #expect(limits.enter(peer, usesTLS: false) == .tooManyFromAddress)
        limits.leave(nil, duringHandshake: true)
        limits.leave(peer, duringHandshake: true)
        #expect(limits.current == 0 && limits.currentHandshakes == 0)
        #expect(limits.assign(to: peer, isLimited: true))
        #expect(limits.assign(to: peer, isLimited: false))
    }
}
