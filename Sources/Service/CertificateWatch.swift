internal import Crypto
internal import JSON

/// Looks once a day which certificates that are served expire soon: a renewal that fails is silent.
struct CertificateWatch {
    private static let period = 86_400_000

    /// When to look next, in milliseconds of the monotonic clock.
    private(set) var due: Int

    init(now: Int) {
        due = now + Self.period
    }

    /// What to warn of; `wall` is seconds since 1970.
    mutating func look(at certificates: [ServedCertificate], now: Int, wall: Int) -> [Problem] {
        due = now + Self.period
        return certificates.flatMap { one in
            guard let files = one.files else { return [Problem]() }
            return one.identity.defectsOfTime(now: wall).map { .certificate($0, files, isFatal: false) }
        }
    }
}
