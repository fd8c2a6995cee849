internal import Bridges
internal import Crypto
internal import JSON
internal import Server
internal import System
internal import TLS

/// Tells the person who runs the service what it does and what is wrong; the only place that writes to a terminal.
struct Announcer: Sendable {
    /// Page URLs that are shown; of more, only the number.
    private static let shownPages = 6
    /// How long a load may be silent, in milliseconds.
    private static let patience = 1_000

    let files: ServiceFiles
    let lines = LogLines()

    /// A line about what happens.
    func say(_ text: String, _ level: LogSettings.Level = .info) {
        lines.write(text, level)
    }

    /// A line about what somebody should look at.
    func warn(_ text: String) {
        lines.write(text, .warning, prefix: "warning: ")
    }

    /// A line about why it can't go on.
    func fail(_ text: String) {
        lines.write(text, .error, prefix: "bridgehost: ", to: .error)
    }

    /// All problems, then who is not served as their files say.
    func tell(_ load: ServiceLoad) {
        tell(load.problems)
        for name in load.summary.leftOut { fail("tenant \(name) is not served; its problems are above") }
        for name in load.summary.kept { fail("tenant \(name) stays as it was; its problems are above") }
        for file in load.summary.keptCertificates {
            fail("certificate \(file) stays as it was; its problems are above")
        }
    }

    func tell(_ problems: [Problem]) {
        for problem in problems {
            lines.write("\(problem)", problem.severity == .error ? .error : .warning, to: .error)
        }
    }

    func refuse(_ load: ServiceLoad) {
        let count = load.problems.count { $0.severity == .error }
        fail("not started: \(count) \(count == 1 ? "problem" : "problems") above")
    }

    func refuseInspector(_ listener: Settings.Listener) {
        fail("--inspect is for development: it does not go with a listener that others reach, at \(listener.address)")
    }

    /// Reports the progress of a load that takes long.
    func progress() -> (Int, Int) -> Void {
        var next = Clock.monotonicMilliseconds + Self.patience
        return { [lines] done, total in
            let now = Clock.monotonicMilliseconds
            guard total > 0, now >= next else { return }
            next = now + Self.patience
            lines.write("reading tenants: \(done) of \(total)", .info, to: .error)
        }
    }

    func announce(_ server: Server, _ settings: Settings, _ load: ServiceLoad) {
        say("bridgehost \(version): \(summary(load)), \(settings.serverConfiguration.workers) workers")
        for (role, address) in zip(settings.roles, server.addresses) { say(line(role, address)) }
        announcePages(settings.securePort(server.addresses), load)
        announceInspector(settings.roles, server.addresses, load)
        if let identity = load.selfSigned { warnOfSelfSigned(identity) }
        warnOfRefused(settings, load)
        say("ready")
    }

    func summary(_ load: ServiceLoad) -> String {
        let tenants = load.catalog?.tenants ?? []
        let pages = tenants.reduce(0) { $0 + $1.bridges.count { $0.page != nil } }
        return "\(tenants.count) tenants, \(pages) pages"
    }

    private func line(_ role: Role, _ address: SocketAddress) -> String {
        switch role {
        case .secure: "listening https://\(address)"
        case .plain: "listening http://\(address)"
        case .redirect: "listening http://\(address) (redirects to https)"
        case .admin: "listening http://\(address) (admin)"
        }
    }

    private func announcePages(_ securePort: Int, _ load: ServiceLoad) {
        // Those at the service's own hosts come first: they can be opened here and now.
        let tenants = load.catalog?.tenants ?? []
        let urls = (tenants.filter(\.hosts.isEmpty) + tenants.filter { !$0.hosts.isEmpty }).flatMap { tenant in
            tenant.bridges.compactMap { bridge in
                bridge.pageURL
                    ?? bridge.page.map { "https://localhost:\(securePort)/\(tenant.name)/\($0.name)" }
            }
        }
        for url in urls.prefix(Self.shownPages) { say("page \(url)") }
        if urls.count > Self.shownPages { say("and \(urls.count - Self.shownPages) more pages") }
    }

    private func announceInspector(_ roles: [Role], _ addresses: [SocketAddress], _ load: ServiceLoad) {
        guard load.catalog?.inspector != nil else { return }
        let places = zip(roles, addresses)
        guard let (role, address) = places.first(where: { $0.0 == .secure }) ?? places.first(where: { $0.0 == .plain })
        else { return }
        say("inspector \(role == .secure ? "https" : "http")://localhost:\(address.port)\(InspectorPath.list)")
    }

    /// Says last what was among many problems: a certificate that is out of its time.
    private func warnOfRefused(_ settings: Settings, _ load: ServiceLoad) {
        let now = Clock.wallSeconds
        for (identity, files) in zip(load.certificates?.identities ?? [], settings.certificates)
        where !identity.holds(at: now) {
            warn("clients refuse \(files.chain), which is not valid now")
        }
    }

    private func warnOfSelfSigned(_ identity: Identity) {
        warn("no certificate is configured, so a self-signed one for localhost was made; phones refuse it")
        say("  SHA-256 fingerprint \(identity.leaf.fingerprintText)", .warning)
        say("  for development on phones: bridgehost certificate --out DIR --host NAME", .warning)
    }
}
