internal import Crypto

/// A certificate that is served, and where it is from.
struct ServedCertificate: Sendable {
    let identity: Identity
    /// Nil for the one that was made since none is configured.
    let files: Settings.CertificateFiles?
    /// Whether its files can't be used now, so that it is what they held before.
    var isKept = false

    /// Whether another one of the same files was served before.
    func isRenewed(from previous: [ServedCertificate]) -> Bool {
        guard let files, let before = previous.first(where: { $0.files == files }) else { return false }
        return before.identity.leaf.fingerprint != identity.leaf.fingerprint
    }
}
