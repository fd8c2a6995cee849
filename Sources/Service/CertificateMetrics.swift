internal import Crypto

/// When the certificates that are served expire.
struct CertificateMetrics: MetricsSource {
    let certificates: [ServedCertificate]

    func write(into writer: inout MetricsWriter) {
        // A chain may serve with two keys' files; two samples of the same labels no monitor takes.
        var seen: Set<[String]> = []
        let samples = certificates.compactMap { one -> (values: [String], count: Int)? in
            let labels = [one.files?.chain ?? "", one.identity.leaf.dnsNames.first ?? ""]
            return seen.insert(labels).inserted ? (values: labels, count: one.identity.notAfter) : nil
        }
        writer.add(
            "bridgehost_certificate_not_after_seconds",
            .gauge,
            "When a certificate or its issuer expires, in seconds since 1970; with its file and its first name.",
            labels: ["file", "name"],
            samples
        )
        writer.add(
            "bridgehost_certificates_kept",
            .gauge,
            "Certificates whose files could not be used, so that they are what they were before.",
            certificates.count(where: \.isKept)
        )
    }
}
