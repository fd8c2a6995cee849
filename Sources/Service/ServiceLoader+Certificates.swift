internal import Bridges
internal import Crypto
internal import JSON
internal import System
internal import TLS

/// The certificates of a load.
struct LoadedCertificates {
    /// In the settings' order, without those that can't be used.
    let served: [ServedCertificate]
    /// The files of all that the settings name, in the versions that were read.
    let inputs: KnownFiles.Inputs
    let problems: [Problem]

    /// Whether none is missing.
    func areComplete(for settings: Settings) -> Bool {
        served.count { $0.files != nil } == settings.certificates.count
    }

    /// The files of some of them.
    func files(where isMeant: (ServedCertificate) -> Bool) -> [String] {
        served.filter(isMeant).compactMap(\.files?.chain)
    }
}

extension ServiceLoader {
    /// The certificates that the settings name, or one that is made where they name none.
    ///
    /// They are looked at again by a signal, or when their files change: whether they are still in their time is not in
    /// their files.
    func loadCertificates(
        _ settings: Settings,
        _ previous: ServiceLoad?,
        rereads: Bool,
        _ known: KnownFiles,
        goesOn: () -> Bool
    ) -> LoadedCertificates {
        let inputs = known.note(settings.certificates.flatMap { [$0.chain, $0.key] })
        if !rereads, let previous, previous.hasSameCertificates(settings, inputs) {
            return LoadedCertificates(
                served: previous.servedCertificates,
                inputs: inputs,
                problems: previous.certificateProblems
            )
        }
        let problems = ProblemCollector()
        let served = readCertificates(settings, previous, problems, goesOn: goesOn)
        return LoadedCertificates(served: served, inputs: inputs, problems: problems.problems)
    }

    private func readCertificates(
        _ settings: Settings,
        _ previous: ServiceLoad?,
        _ problems: ProblemCollector,
        goesOn: () -> Bool
    ) -> [ServedCertificate] {
        let loader = CertificateLoader(serverFile: files.serverFile, now: Clock.wallSeconds)
        guard settings.certificates.isEmpty, settings.needsCertificate else {
            let served = previous?.servedCertificates ?? []
            return loader.load(settings.certificates, previous: served, problems, goesOn: goesOn)
        }
        let kept = previous?.selfSigned.flatMap { $0.leaf.notAfter > Clock.wallSeconds ? $0 : nil }
        guard let identity = kept ?? loader.makeSelfSigned(problems) else { return [] }
        return [ServedCertificate(identity: identity, files: nil)]
    }

    /// So many hosts without a certificate are told one by one.
    private static let toldGaps = 20

    /// The hosts that no certificate covers, which are reported; what a certificate that is missing leaves uncovered is told
    /// by that alone.
    func uncoveredHosts(
        _ settings: Settings,
        _ served: [ServedCertificate],
        _ store: CertificateStore?,
        _ catalog: Catalog?,
        _ problems: ProblemCollector
    ) -> [String] {
        guard served.count == settings.certificates.count else { return [] }
        let gaps = CertificateCoverage(settings: settings, certificates: store).gaps(catalog)
        for (index, gap) in gaps.prefix(Self.toldGaps).enumerated() {
            let more = index == Self.toldGaps - 1 ? gaps.count - Self.toldGaps : 0
            problems.report(.uncoveredHost(gap, more: more, files))
        }
        return gaps.map(\.host)
    }
}
