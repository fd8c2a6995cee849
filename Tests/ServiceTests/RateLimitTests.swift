import System
import Testing

@testable import Service

@Suite("A bucket")
struct RateLimitTests {
    private func address(_ text: String) throws -> SocketAddress { try #require(SocketAddress(literal: text, port: 9)) }

    @Test("gives its burst at once, then one an interval, and never more than its burst")
    func gives() {
        let bucket = Bucket()
        let rate = Rate.perSecond(4)
        #expect((0..<6).map { _ in bucket.take(rate, now: 1_000) } == [true, true, true, true, false, false])
        #expect(!bucket.take(rate, now: 1_249))
        #expect(bucket.take(rate, now: 1_250))
        #expect(!bucket.take(rate, now: 1_499))
        #expect((0..<6).map { _ in bucket.take(rate, now: 99_000) } == [true, true, true, true, false, false])
    }

    @Test("counts one that is refused as none")
    func refusalsAreFree() {
        let bucket = Bucket()
        #expect(bucket.take(.perMinute(1), now: 0))
        for now in 1..<1_000 { #expect(!bucket.take(.perMinute(1), now: now)) }
        #expect(bucket.take(.perMinute(1), now: 60_000))
    }

    @Test("says after how many seconds it surely gives one", arguments: [(1, 60), (7, 9), (30, 2), (60, 1), (600, 1)])
    func retryAfter(count: Int, seconds: Int) {
        #expect(Rate.perMinute(count).retryAfter == seconds)
        let bucket = Bucket()
        while bucket.take(.perMinute(count), now: 0) {}
        #expect(bucket.take(.perMinute(count), now: seconds * 1_000))
    }

    @Test("gives no more to many threads than to one")
    func isShared() async {
        let bucket = Bucket()
        let taken = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { (0..<100).count { _ in bucket.take(.perSecond(250), now: 0) } } }
            return await group.reduce(0, +)
        }
        #expect(taken == 250)
    }

    @Test("is one for all addresses of an IPv6 network, and one for each of IPv4")
    func addresses() throws {
        let buckets = AddressBuckets()
        #expect(buckets.take(.perSecond(1), try address("2001:db8::1"), now: 0))
        #expect(!buckets.take(.perSecond(1), try address("2001:db8::ffff:2"), now: 0))
        // Two may share one by chance of the process's seed, ten do not.
        let others = try (1...10).count { try buckets.take(.perSecond(1), address("192.0.2.\($0)"), now: 0) }
        #expect(others >= 8)
    }

    @Test("of an address is another for each tenant: two backends behind one take nothing from each other")
    func tenantsBehindOneAddress() throws {
        let limits = IdentityLimits(clock: { 0 })
        let rates = IdentityRates(perAddress: .perSecond(1))
        let peer = try address("192.0.2.1")
        let buckets = (0..<10).map { limits.bucket(ofTenant: "tenant-\($0)") }
        // Two may share one by chance of the process's seed, ten do not.
        #expect(buckets.count { limits.admit(peer, $0, rates) } >= 8)
        #expect(buckets.allSatisfy { !limits.admit(peer, $0, rates) })
    }

    @Test("of a tenant stays through reloads")
    func tenants() {
        let limits = IdentityLimits(clock: { 0 })
        #expect(limits.bucket(ofTenant: "a") === limits.bucket(ofTenant: "a"))
        #expect(limits.bucket(ofTenant: "a") !== limits.bucket(ofTenant: "b"))
    }
}
