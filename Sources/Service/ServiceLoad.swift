internal import Bridges
internal import Crypto
public import JSON
internal import TLS

/// All that was read: what to serve, and what is wrong.
public struct ServiceLoad: Sendable {
    /// What `server.json` says; nil when it can't be used.
    public let settings: Settings?
    /// What is hosted; nil when a descriptor or page is broken.
    let catalog: Catalog?
    let certificates: CertificateStore?
    /// The ticket keys of files; nil when none are configured.
    let ticketKeys: TicketKeys?
    /// The same as it was read, in the settings' order.
    let servedCertificates: [ServedCertificate]
    let summary: LoadSummary
    /// All that is wrong, in the order of the files.
    public let problems: [Problem]
    /// All files that it depends on, in the versions that it was made of.
    var inputs: KnownFiles.Inputs = [:]
    /// Of these, those of the certificates.
    var certificateInputs: KnownFiles.Inputs = [:]
    /// What is wrong with these.
    var certificateProblems: [Problem] = []

    /// Whether something is wrong that keeps a file, or part of it, from being served.
    public var hasErrors: Bool { problems.contains { $0.severity == .error } }

    /// The certificate that was made since none is configured.
    var selfSigned: Identity? { servedCertificates.first { $0.files == nil }?.identity }

    /// Whether there is enough to serve.
    var isServable: Bool { settings != nil && catalog != nil }
}

extension ServiceLoad {
    /// One of which `server.json` itself can't be used.
    init(unreadable problems: [Problem], inputs: KnownFiles.Inputs) {
        self.init(
            settings: nil,
            catalog: nil,
            certificates: nil,
            ticketKeys: nil,
            servedCertificates: [],
            summary: LoadSummary(),
            problems: problems,
            inputs: inputs
        )
    }
}

/// What a load could not serve as its files say.
struct LoadSummary: Sendable {
    /// Tenants that are not served.
    var leftOut: [String] = []
    /// Tenants that are served as they were before.
    var kept: [String] = []
    /// Files of certificates that are shown as they were before.
    var keptCertificates: [String] = []
    /// Files of certificates that others are shown of than before.
    var renewedCertificates: [String] = []
    /// Hosts that no certificate covers.
    var uncoveredHosts: [String] = []
}

extension ServiceLoad {
    /// Whether settings name the same certificates in the same order, and their files have not changed.
    func hasSameCertificates(_ now: Settings, _ inputs: KnownFiles.Inputs) -> Bool {
        settings?.certificates == now.certificates && selfSigned == nil && certificateInputs == inputs
            && summary.keptCertificates.isEmpty
    }

    /// Whether there is nothing in it that is not served already: what it was made of, and certificates that time has changed.
    func isSame(as served: ServiceLoad) -> Bool {
        inputs == served.inputs && summary.renewedCertificates.isEmpty && selfSigned?.leaf === served.selfSigned?.leaf
    }

    /// Whether clients are shown the very same certificates.
    func showsSameCertificates(as other: ServiceLoad) -> Bool {
        let shown = { (load: ServiceLoad) in load.certificates?.identities.map { ObjectIdentifier($0.leaf) } }
        return shown(self) == shown(other)
            && certificates?.refusesUnknownNames == other.certificates?.refusesUnknownNames
    }

    /// Everything that is answered, prepared.
    func site(
        _ settings: Settings,
        roles: [Role],
        sources: AdminSources,
        reports: ReportCollector? = nil,
        limits: IdentityLimits = IdentityLimits(),
        labels: AnswerLabels = AnswerLabels(),
        securePort: Int,
        memory: SiteMemory = SiteMemory()
    ) -> Site {
        var sources = sources
        sources.metrics.append(CertificateMetrics(certificates: servedCertificates))
        var builder = SiteBuilder(
            settings: settings,
            certificates: certificates,
            sources: sources,
            reports: reports,
            limits: limits,
            labels: labels,
            securePort: securePort,
            memory: memory
        )
        return builder.build(catalog, roles: roles)
    }
}
