public import Crypto

/// The certificates that a service shows, and the choice among them by server name (RFC 6066 §3).
public struct CertificateStore: Sendable {
    /// The certificates with their keys; the first one is shown when no other fits.
    public let identities: [Identity]
    /// Whether a client that asks for another name is refused, instead of being shown the first certificate.
    public let refusesUnknownNames: Bool
    /// The first one, and those that stand for all that it stands for.
    private let defaults: [Int]
    private let exact: [[UInt8]: [Int]]
    private let wildcard: [[UInt8]: [Int]]

    /// A store of at least one certificate; of several for the same name the first one that a client can verify counts.
    ///
    /// - Throws: ``TLSError/noCertificate``.
    public init(_ identities: [Identity], refusesUnknownNames: Bool = false) throws(TLSError) {
        guard !identities.isEmpty else { throw .noCertificate }
        var exact: [[UInt8]: [Int]] = [:]
        var wildcard: [[UInt8]: [Int]] = [:]
        for (index, identity) in identities.enumerated() {
            for name in identity.leaf.dnsNames {
                let bytes = Self.folded(name.utf8)
                if Certificate.isWildcard(bytes) {
                    wildcard[Array(bytes.dropFirst(2)), default: []].append(index)
                } else {
                    exact[bytes, default: []].append(index)
                }
            }
        }
        self.identities = identities
        defaults = identities.indices.filter { $0 == 0 || identities[$0].leaf.standsFor(identities[0].leaf) }
        self.refusesUnknownNames = refusesUnknownNames
        self.exact = exact
        self.wildcard = wildcard
    }

    /// The index of the certificate for a server name: an exact one before a wildcard, whose `*` stands for one label, and
    /// among these the first one whose key passes the test; nil if none is for that name.
    ///
    /// A client that can verify none is shown the first: it fails by its own words.
    public func index(for serverName: some Collection<UInt8>, where isVerifiable: (PrivateKey) -> Bool) -> Int? {
        guard exact.count + wildcard.count > 0 else { return nil }
        let name = Self.folded(serverName)
        var candidates = exact[name] ?? []
        if let dot = name.firstIndex(of: UInt8(ascii: ".")), dot > 0, let more = wildcard[Array(name[(dot + 1)...])] {
            candidates += more
        }
        return Self.choose(candidates, of: identities, isVerifiable)
    }

    /// The index of the certificate for a client that asks for no name, or for one that no certificate has.
    ///
    /// The first one, or one for all of its names whose key passes the test: another host's is nothing for strangers to see.
    public func defaultIndex(where isVerifiable: (PrivateKey) -> Bool) -> Int {
        Self.choose(defaults, of: identities, isVerifiable) ?? 0
    }

    private static func choose(
        _ candidates: [Int],
        of identities: [Identity],
        _ isVerifiable: (PrivateKey) -> Bool
    ) -> Int? {
        guard candidates.count > 1 else { return candidates.first }
        return candidates.first { isVerifiable(identities[$0].key) } ?? candidates.first
    }

    private static func folded(_ name: some Collection<UInt8>) -> [UInt8] {
        name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}

extension Certificate {
    /// Whether it is for every name and address of another one, which has some.
    fileprivate func standsFor(_ other: Certificate) -> Bool {
        guard !other.dnsNames.isEmpty || !other.addresses.isEmpty else { return false }
        return Set(other.addresses).isSubset(of: addresses)
            && other.dnsNames.allSatisfy { $0.hasPrefix("*") ? hasName($0) : covers(host: $0) }
    }

    private func hasName(_ name: String) -> Bool { dnsNames.contains { $0.lowercased() == name.lowercased() } }
}
