internal import Synchronization
internal import System

/// How often something may be done, as the interval between two in the long run and how many may come at once.
struct Rate: Sendable, Equatable {
    /// Microseconds.
    let interval: Int
    let burst: Int

    static func perSecond(_ count: Int) -> Rate { Rate(interval: 1_000_000 / count, burst: count) }
    static func perMinute(_ count: Int) -> Rate { Rate(interval: 60_000_000 / count, burst: count) }

    /// Seconds after which one more is allowed for sure, as Retry-After has it.
    var retryAfter: Int { (interval + 999_999) / 1_000_000 }
}

extension Atomic<Int> {
    /// Takes one of the token bucket that is full again at this time, in microseconds of the monotonic clock (the generic
    /// cell rate algorithm), if one is left at `now`, in milliseconds of it.
    fileprivate func take(_ rate: Rate, now: Int) -> Bool {
        let now = now * 1_000
        var seen = load(ordering: .relaxed)
        while true {
            let next = Swift.max(seen, now) + rate.interval
            guard next - now <= rate.interval * rate.burst else { return false }
            let (exchanged, original) = weakCompareExchange(expected: seen, desired: next, ordering: .relaxed)
            if exchanged { return true }
            seen = original
        }
    }
}

/// A token bucket.
final class Bucket: Sendable {
    private let full = Atomic<Int>(0)

    /// Takes one, if one is left at that time of the monotonic clock, in milliseconds.
    func take(_ rate: Rate, now: Int) -> Bool { full.take(rate, now: now) }
}

/// Buckets for all addresses in fixed memory; addresses that fall into one bucket share it.
///
/// Swift's hashes have a seed of the process, so nobody can choose whom to share with.
final class AddressBuckets: Sendable {
    private let buckets = InlineArray<4_096, Atomic<Int>> { _ in Atomic(0) }

    /// - Parameter tenant: whose requests alone count together, if they are a tenant's.
    func take(_ rate: Rate, _ peer: SocketAddress, of tenant: Bucket? = nil, now: Int) -> Bool {
        var hasher = Hasher()
        hasher.combine(peer.network)
        hasher.combine(tenant.map(ObjectIdentifier.init))
        return buckets[hasher.finalize() & (buckets.count - 1)].take(rate, now: now)
    }
}

/// How often identities may be asked for.
struct IdentityRates: Sendable, Equatable {
    var perTenant = Rate.perSecond(100)
    var perAddress = Rate.perSecond(50)
    /// Requests without a valid token.
    var failuresPerAddress = Rate.perMinute(30)
}

/// What was asked for so far, in the whole process and through all reloads.
final class IdentityLimits: Sendable {
    private let addresses = AddressBuckets()
    private let failures = AddressBuckets()
    private let tenants = Mutex<[String: Bucket]>([:])
    /// Milliseconds of a clock that never jumps.
    private let clock: @Sendable () -> Int

    init(clock: @escaping @Sendable () -> Int = { Clock.monotonicMilliseconds }) {
        self.clock = clock
    }

    /// A tenant's own bucket; for the loading thread, since it takes a lock.
    func bucket(ofTenant name: String) -> Bucket {
        tenants.withLock { buckets in
            let bucket = buckets[name] ?? Bucket()
            buckets[name] = bucket
            return bucket
        }
    }

    /// Counts a request with a valid token; whether it may be answered.
    ///
    /// The address comes first, so that a single one can't use up what its tenant may do; two tenants behind one address
    /// take nothing from each other.
    func admit(_ peer: SocketAddress, _ tenant: Bucket, _ rates: IdentityRates) -> Bool {
        let now = clock()
        return addresses.take(rates.perAddress, peer, of: tenant, now: now) && tenant.take(rates.perTenant, now: now)
    }

    /// Counts a request without a valid token; whether it may still be told so.
    ///
    /// It takes nothing from the tenant, nor from those behind the same address who have a token.
    func admitFailure(_ peer: SocketAddress, _ rates: IdentityRates) -> Bool {
        failures.take(rates.failuresPerAddress, peer, now: clock())
    }
}
