/// A certificate with the chain that leads to its authority and the key that proves it: what a server shows.
public struct Identity: Sendable {
    /// The certificate of the server itself.
    public let leaf: Certificate
    /// The certificates between the leaf and a root that clients know.
    public let intermediates: [Certificate]
    /// The leaf's key.
    public let key: PrivateKey

    /// An identity from its parts.
    public init(leaf: Certificate, intermediates: [Certificate], key: PrivateKey) {
        self.leaf = leaf
        self.intermediates = intermediates
        self.key = key
    }

    /// An identity from two PEM texts: the chain, leaf first, and the key.
    public init(chain: [UInt8], key: [UInt8]) throws(CryptoError) {
        let certificates = try Certificate.all(pem: chain)
        self.init(
            leaf: certificates[0],
            intermediates: Array(certificates.dropFirst()),
            key: try PrivateKey(pem: key)
        )
    }

    /// What phones would refuse it for.
    public enum Defect: Hashable, Sendable {
        /// The key is not the leaf's.
        case keyMismatch
        /// The key is too short.
        case weakKey(PrivateKey.Kind)
        /// The leaf is not self-signed, and nothing leads from it to a root: Android does not fetch what is missing.
        case leafOnly
        /// The certificate of that place in the file did not issue the one before it.
        case wrongOrder(at: Int)
        /// It holds only later.
        case notYetValid
        /// It holds no more.
        case expired
        /// It expires in so many days.
        case expiresSoon(days: Int)
        /// It names no host; the common name counts nowhere any more.
        case noNames
        /// It is not for servers.
        case notForServers

        /// Whether no client could connect.
        public var isFatal: Bool { self == .keyMismatch }
    }

    /// The days before the end that are called soon.
    public static let soonDays = 21

    /// All defects at a time, in seconds since 1970.
    public func defects(now: Int) -> [Defect] {
        var defects: [Defect] = []
        if !leaf.matches(key) { defects.append(.keyMismatch) }
        if key.isWeak { defects.append(.weakKey(key.kind)) }
        if intermediates.isEmpty, !leaf.isSelfSigned { defects.append(.leafOnly) }
        let chain = [leaf] + intermediates
        for index in 1..<max(1, chain.count) where !chain[index].issued(chain[index - 1]) {
            defects.append(.wrongOrder(at: index))
        }
        let days = (leaf.notAfter - now) / 86_400
        if now < leaf.notBefore { defects.append(.notYetValid) }
        if now >= leaf.notAfter {
            defects.append(.expired)
        } else if days < Self.soonDays {
            defects.append(.expiresSoon(days: days))
        }
        if leaf.dnsNames.isEmpty, leaf.addresses.isEmpty { defects.append(.noNames) }
        if !leaf.isForServers { defects.append(.notForServers) }
        return defects
    }
}
