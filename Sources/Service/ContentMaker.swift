internal import Server
internal import System

/// Makes what the server serves of each load, with what outlives all of them.
struct ContentMaker {
    let sources: AdminSources
    let reports: ReportCollector
    let limits = IdentityLimits()
    let memory = SiteMemory()
    let labels: AnswerLabels

    /// What a load is served as by a server that listens at those addresses, which goes on with certificates that it has.
    func content(
        _ settings: Settings,
        _ load: ServiceLoad,
        at addresses: [SocketAddress],
        after previous: ServiceLoad? = nil
    ) -> ServerContent {
        let site = load.site(
            settings,
            roles: settings.roles,
            sources: sources,
            reports: reports,
            limits: limits,
            labels: labels,
            securePort: settings.securePort(addresses),
            memory: memory
        )
        let isSame = previous?.showsSameCertificates(as: load) ?? false
        return ServerContent(
            responder: site,
            certificates: isSame ? nil : load.certificates,
            labels: labels.all.count
        )
    }
}
