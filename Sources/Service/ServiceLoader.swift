internal import Bridges
internal import Crypto
public import JSON
internal import System
internal import TLS

/// Reads settings, certificates and catalog; blocks its thread.
public struct ServiceLoader: Sendable {
    let files: ServiceFiles
    private let inspects: Bool

    /// A loader of files; `inspects` reads the inspector's as well.
    public init(_ files: ServiceFiles, inspects: Bool = false) {
        self.files = files
        self.inspects = inspects
    }

    /// Reads everything for the first time.
    ///
    public func load() -> ServiceLoad { load(previous: nil) }

    /// Reads again what has changed since the memory's last load.
    ///
    /// - Parameters:
    ///   - previous: the load that is served: what is broken now stays as it is there.
    ///   - rereads: whether everything is read again and compared; else a file that looks the same from outside is not.
    ///   - progress: called with the number of tenants read and of all, and before with zeros for each certificate; returns
    ///     whether to go on, else nothing can be served.
    func load(
        previous: ServiceLoad?,
        memory: LoadMemory = LoadMemory(),
        rereads: Bool = true,
        progress: (Int, Int) -> Bool = { _, _ in true }
    ) -> ServiceLoad {
        memory.files.beginPass(trustingStamps: !rereads)
        let collector = ProblemCollector()
        guard let settings = readSettings(collector, memory.files) else {
            memory.files.endPass(isWhole: false)
            return ServiceLoad(unreadable: collector.problems, inputs: memory.files.inputs)
        }
        let certificates = loadCertificates(settings, previous, rereads: rereads, memory.files) { progress(0, 0) }
        collector.report(certificates.problems)
        memory.files.note(settings.ticketKeys)
        let ticketKeys = TicketKeyLoader(serverFile: files.serverFile).load(settings.ticketKeys, collector)
        let answersChallenges = ChallengeCheck(serverFile: files.serverFile).check(settings, collector)
        let catalog = CatalogLoader(source: source(settings), memory: memory)
            .load(previous: previous?.catalog, progress: progress)
        collector.report(catalog.problems)
        let store = try? CertificateStore(
            certificates.served.map(\.identity),
            refusesUnknownNames: settings.refusesUnknownNames
        )
        let uncovered = uncoveredHosts(settings, certificates.served, store, catalog.catalog, collector)
        let isComplete =
            certificates.areComplete(for: settings) && ticketKeys.count == settings.ticketKeys.count
            // A renewed certificate must not wait for a folder that comes and goes.
            && (answersChallenges || previous != nil)
        memory.files.endPass(isWhole: isComplete && catalog.catalog != nil)
        return ServiceLoad(
            settings: isComplete ? settings : nil,
            catalog: catalog.catalog,
            certificates: store,
            ticketKeys: ticketKeys.isEmpty ? nil : TicketKeys(ticketKeys),
            servedCertificates: certificates.served,
            summary: LoadSummary(
                leftOut: catalog.leftOut,
                kept: catalog.kept,
                keptCertificates: certificates.files(where: \.isKept),
                renewedCertificates: certificates.files { $0.isRenewed(from: previous?.servedCertificates ?? []) },
                uncoveredHosts: uncovered
            ),
            problems: collector.problems,
            inputs: memory.files.inputs,
            certificateInputs: certificates.inputs,
            certificateProblems: certificates.problems
        )
    }

    /// The settings with flags and environment over the file; nil after an error.
    func readSettings(_ collector: ProblemCollector, _ known: KnownFiles = KnownFiles()) -> Settings? {
        let own = ProblemCollector()
        let overlay = SettingsOverlay(flags: files.settings, environment: files.environment, problems: own)
        let settings = readFile(own, known).map { read(overlay.apply(to: $0), own) }
        collector.report(own.problems.map(overlay.attribute))
        return own.hasErrors ? nil : settings
    }

    /// Where health is told, as far as that can be read: a service that runs goes on when its settings break.
    func adminListener() -> Settings.Listener? {
        let ignored = ProblemCollector()
        let overlay = SettingsOverlay(flags: files.settings, environment: files.environment, problems: ignored)
        let root = readFile(ignored, KnownFiles())
        let node = root ?? JSONNode(content: .object([]), position: Position(line: 1, column: 1))
        let admin = read(overlay.apply(to: node), ignored).admin
        return admin ?? (root == nil && File.exists(files.serverFile) ? Self.shippedAdmin : nil)
    }

    /// As in the `server.json` that comes with the service.
    private static let shippedAdmin = Settings.Listener(address: "127.0.0.1", port: 8_081, role: .plain)

    private func read(_ node: JSONNode, _ problems: ProblemCollector) -> Settings {
        let located = Located(root: node, file: files.serverFile, problems: problems)
        return SettingsReader(directory: files.configDirectory).read(located)
    }

    private func readFile(_ problems: ProblemCollector, _ known: KnownFiles) -> JSONNode? {
        do throws(SystemError) {
            let bytes = try known.bytes(of: files.serverFile)
            return JSONReader.root(of: bytes, file: files.serverFile, problems: problems)?.node
        } catch {
            problems.report(.unreadable(error, advice: "Use --config to name the folder that holds server.json."))
            return nil
        }
    }

    /// The schemas of all files that a person edits; none when a descriptor is broken.
    public func schemas() -> (files: [(name: String, text: String)], problems: [Problem]) {
        let load = self.load()
        guard let bridges = load.catalog?.bridges else { return ([], load.problems) }
        return (Schemas.files(bridges) + [(name: "server.schema.json", text: ServerSchema.value.prettyText)], [])
    }

    func source(_ settings: Settings) -> CatalogSource {
        CatalogSource(
            configDirectory: files.configDirectory,
            publicDirectory: files.publicDirectory,
            publicBaseURL: settings.publicBaseURL,
            secretsDirectory: settings.secretsDirectory,
            serviceHosts: SiteBuilder.serviceHosts(settings),
            revisionSalt: version,
            inspects: inspects
        )
    }
}
