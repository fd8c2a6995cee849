public import Crypto

/// The certificates that a service shows, and the choice among them by server name (RFC 6066 §3).
public struct CertificateStore: Sendable {
    /// The certificates with their keys; the first one is shown when no other fits.
    public let identities: [Identity]
    /// Whether a client that asks for another name is refused, instead of being shown the first certificate.
    public let refusesUnknownNames: Bool
    private let exact: [[UInt8]: Int]
    private let wildcard: [[UInt8]: Int]

    /// A store of at least one certificate; of two for the same name the first one counts.
    ///
    /// - Throws: ``TLSError/noCertificate``.
    public init(_ identities: [Identity], refusesUnknownNames: Bool = false) throws(TLSError) {
        guard !identities.isEmpty else { throw .noCertificate }
        var exact: [[UInt8]: Int] = [:]
        var wildcard: [[UInt8]: Int] = [:]
        for (index, identity) in identities.enumerated() {
            for name in identity.leaf.dnsNames {
                let bytes = Self.folded(name.utf8)
                if bytes.starts(with: "*.".utf8) {
                    let parent = Array(bytes.dropFirst(2))
                    wildcard[parent] = wildcard[parent] ?? index
                } else {
                    exact[bytes] = exact[bytes] ?? index
                }
            }
        }
        self.identities = identities
        self.refusesUnknownNames = refusesUnknownNames
        self.exact = exact
        self.wildcard = wildcard
    }

    /// The index of the certificate for a server name: an exact one before a wildcard, whose `*` stands for one label.
    public func index(for serverName: some Collection<UInt8>) -> Int? {
        guard exact.count + wildcard.count > 0 else { return nil }
        let name = Self.folded(serverName)
        if let index = exact[name] { return index }
        guard let dot = name.firstIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
        return wildcard[Array(name[(dot + 1)...])]
    }

    private static func folded(_ name: some Collection<UInt8>) -> [UInt8] {
        name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}
