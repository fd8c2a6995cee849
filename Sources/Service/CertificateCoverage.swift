internal import Bridges
internal import Crypto
internal import System
internal import TLS

/// Finds the hosts that are served over TLS and that no certificate covers.
struct CertificateCoverage {
    /// A host, and whose it is; nil for the service's own.
    struct Gap {
        let host: String
        let tenant: String?
    }

    let settings: Settings
    let certificates: CertificateStore?

    /// None where the certificate is one that was made since none is configured.
    func gaps(_ catalog: Catalog?) -> [Gap] {
        guard settings.needsCertificate, !settings.certificates.isEmpty else { return [] }
        let own = SiteBuilder.serviceHosts(settings).filter { !SiteBuilder.localHosts.contains($0) }
            .map { Gap(host: $0, tenant: nil) }
        let tenants = (catalog?.tenants ?? []).flatMap { tenant in
            tenant.hosts.map { Gap(host: $0, tenant: tenant.name) }
        }
        return (own + tenants).filter { !isCovered($0.host) }
    }

    /// Who asks for an address names no server, and is shown the default certificate.
    private func isCovered(_ host: String) -> Bool {
        guard let certificates else { return true }
        let literal = host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host
        if SocketAddress(literal: literal, port: 0) != nil {
            return certificates.identities[certificates.defaultIndex(where: { _ in true })].leaf.covers(host: host)
        }
        return certificates.index(for: host.utf8, where: { _ in true }) != nil
    }
}
