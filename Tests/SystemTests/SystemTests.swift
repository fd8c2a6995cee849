import Testing

@testable import System

@Suite("An address")
struct SocketAddressTests {
    @Test(
        "is read and written as people write it",
        arguments: [
            ("127.0.0.1", "127.0.0.1:80"), ("0.0.0.0", "0.0.0.0:80"), ("::1", "[::1]:80"),
            ("2001:db8::5", "[2001:db8::5]:80"),
        ]
    )
    func roundTrip(literal: String, text: String) throws {
        let address = try #require(SocketAddress(literal: literal, port: 80))
        #expect(address.description == text)
    }

    @Test("is never a name or half an address", arguments: ["localhost", "", "127.0.0", "1.2.3.4.5", "[::1]", "::g"])
    func refuses(literal: String) {
        #expect(SocketAddress(literal: literal, port: 80) == nil)
    }

    @Test("knows loopback", arguments: [("127.9.9.9", true), ("::1", true), ("128.0.0.1", false), ("::2", false)])
    func knowsLoopback(literal: String, isLoopback: Bool) throws {
        #expect(try #require(SocketAddress(literal: literal, port: 1)).isLoopback == isLoopback)
    }
}

@Suite("A processor quota")
struct ProcessorsTests {
    @Test(
        "is rounded up to whole processors, at least one",
        arguments: [
            ("200000", "100000", 2), ("150000", "100000", 2), ("50000", "100000", 1),
        ]
    )
    func rounds(quota: String, period: String, count: Int) {
        #expect(Processors.processors(quota: quota, period: period) == count)
    }

    @Test("without a limit is none", arguments: ["max", "-1", "0", ""])
    func hasNone(quota: String) {
        #expect(Processors.processors(quota: quota, period: "100000") == nil)
    }

    @Test("leaves at least one processor")
    func leavesOne() { #expect(Processors.available >= 1) }
}

@Suite("A poller")
struct PollerTests {
    @Test("tells of a wake-up from another thread, once")
    func wakes() throws {
        let poller = try Poller(capacity: 4)
        let wakeup = SharedWakeup(try Wakeup())
        try poller.add(wakeup.value.descriptor, for: .read, token: 7)
        #expect(try poller.wait(timeout: 0) == 0)
        try Thread.start(name: "waker") { wakeup.value.wake() }
        #expect(try poller.wait(timeout: 10_000) == 1)
        #expect(poller.event(0).token == 7)
        #expect(poller.event(0).isReadable)
        wakeup.value.clear()
        #expect(try poller.wait(timeout: 0) == 0)
    }

    @Test("tells of nothing that it was told to forget")
    func forgets() throws {
        let poller = try Poller(capacity: 4)
        let wakeup = try Wakeup()
        try poller.add(wakeup.descriptor, for: .read, token: 1)
        wakeup.wake()
        try poller.remove(wakeup.descriptor)
        #expect(try poller.wait(timeout: 0) == 0)
    }
}

private final class SharedWakeup: Sendable {
    let value: Wakeup

    init(_ value: consuming Wakeup) { self.value = value }
}

@Suite("A listener")
struct ListenerTests {
    private let loopback = SocketAddress(literal: "127.0.0.1", port: 0)

    @Test("says which port the system chose, and accepts what connects")
    func accepts() throws {
        let listener = try Listener(address: try #require(loopback), shared: false)
        #expect(listener.address.port != 0)
        guard case .none = listener.accept() else { return #expect(Bool(false), "nobody connected") }
        let address = listener.address
        try Thread.start(name: "client") {
            _ = try? Client.exchange([1], with: address, milliseconds: 2_000, limit: 1)
        }
        let poller = try Poller(capacity: 1)
        try poller.add(listener.descriptor, for: .read, token: 0)
        #expect(try poller.wait(timeout: 10_000) == 1)
        guard case .connection(let descriptor, let peer) = listener.accept() else {
            return #expect(Bool(false), "a client connected")
        }
        #expect(peer.isLoopback)
        descriptor.endSending()
    }

    @Test("at an address that is taken is an error, for shared ones through the check")
    func refusesTaken() throws {
        let first = try Listener(address: try #require(loopback), shared: true)
        let address = first.address
        #expect(throws: SystemError.self) { _ = try Listener(address: address, shared: false) }
        #expect(throws: SystemError.self) { try Listener.check(free: address) }
    }
}
