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

    /// All that is shown, leaf first.
    public var chain: [Certificate] { [leaf] + intermediates }

    /// What every client needs: the leaf and its issuer.
    ///
    /// Who trusts an authority passes over what stands behind it, as a root's certificate by an older one.
    private var core: ArraySlice<Certificate> { chain.prefix(2) }

    /// Until when leaf and issuer hold, in seconds since 1970.
    public var notAfter: Int { core.reduce(leaf.notAfter) { min($0, $1.notAfter) } }

    /// Whether leaf and issuer hold at a time, in seconds since 1970.
    public func holds(at now: Int) -> Bool { core.allSatisfy { $0.holds(at: now) } }
}
