internal import Bridges
internal import Crypto
internal import JSON
internal import Server
internal import System
internal import TLS

/// The service as a process: loads, serves, reloads on SIGHUP, opens its log again on SIGUSR1, drains on SIGTERM and
/// SIGINT.
public struct ServiceProcess {
    /// How a run ended.
    public enum End: Sendable {
        /// As asked.
        case stopped
        /// It could not serve; why was printed.
        case failed
        /// It was asked for what can't go together; that was printed.
        case refused
    }

    private let loader: ServiceLoader
    private let announcer: Announcer
    private let memory = LoadMemory()
    /// Whether a broken tenant keeps the service from starting.
    private let isStrict: Bool
    /// Whether it has the inspector, which shows pages to the developer of an app.
    private let inspects: Bool

    /// A process over files; `isStrict` refuses to start with a broken tenant, `inspects` adds the inspector.
    public init(_ files: ServiceFiles, isStrict: Bool, inspects: Bool) {
        loader = ServiceLoader(files, inspects: inspects)
        announcer = Announcer(files: files)
        self.isStrict = isStrict
        self.inspects = inspects
    }

    /// Serves until a signal ends it.
    public func run() -> End {
        let signals: Signals
        let reports: ReportCollector
        do throws(SystemError) {
            reports = try ReportCollector()
            signals = try Signals()
        } catch {
            announcer.fail("\(error)")
            return .failed
        }
        if inspects, let listener = loader.readSettings(ProblemCollector())?.openListener {
            announcer.refuseInspector(listener)
            return .refused
        }
        let progress = announcer.progress()
        let load = loader.load(previous: nil, memory: memory) { done, total in
            progress(done, total)
            return !Signals.hasStop
        }
        guard !Signals.hasStop else {
            announcer.say("stopped before it was ready")
            return .stopped
        }
        if let log = load.settings?.log { announcer.lines.configure(log) }
        announcer.tell(load)
        guard let settings = load.settings, load.isServable, !(isStrict && load.hasErrors) else {
            announcer.refuse(load)
            return .failed
        }
        do {
            return try start(settings, load, signals, reports).run()
        } catch {
            announcer.fail("\(error)")
            return .failed
        }
    }

    private func start(
        _ settings: Settings,
        _ load: ServiceLoad,
        _ signals: consuming Signals,
        _ reports: ReportCollector
    ) throws -> Supervisor {
        let tickets = try TicketSchedule(load, now: Clock.monotonicMilliseconds)
        let sockets = try ServerSockets(bounded(settings.serverConfiguration))
        let labels = AnswerLabels()
        let accessLog = try sockets.journal.map { journal throws(SystemError) in
            try AccessLog(journal, settings.log, labels, announcer.lines)
        }
        let status = ReloadStatus()
        status.note(start: load, now: Clock.wallSeconds)
        let metrics: [any MetricsSource] = [
            ProcessMetrics(), ServerMetrics(counters: sockets.counters, limits: sockets.connectionLimits),
            AnswerMetrics(counters: sockets.counters, labels: labels, roles: settings.roles),
            ReportMetrics(reports: reports), AccessLogMetrics(log: accessLog, lines: announcer.lines),
            ReloadMetrics(status: status),
        ]
        let sources = AdminSources(readiness: Readiness(), status: status, metrics: metrics)
        let maker = ContentMaker(sources: sources, reports: reports, labels: labels)
        let content = maker.content(settings, load, at: sockets.addresses)
        let server = try Server(sockets, content: content, ticketKeys: tickets.keys)
        maker.sources.readiness.isReady = true
        return Supervisor(
            server: server,
            served: Served(load: load, settings: settings, content: content),
            tickets: tickets,
            maker: maker,
            signals: signals,
            loader: loader,
            memory: memory,
            announcer: announcer,
            accessLog: accessLog
        )
    }

    /// A server never runs out of descriptors by connections alone: some are left for files and probes.
    private func bounded(_ configuration: ServerConfiguration) throws(ServerError) -> ServerConfiguration {
        var configuration = configuration
        let own = Self.spareDescriptors + configuration.workers * (configuration.endpoints.count + 2)
        let limit = ProcessFacts.raiseDescriptorLimit()
        let room = limit - own
        guard room > 0 else { throw .tooFewFiles(limit: limit, needed: own) }
        if configuration.connectionLimits.connections > room {
            configuration.connectionLimits = configuration.connectionLimits.fitting(room)
            announcer.say(
                "the process may open few files (ulimit -n): at most \(room) connections at once,"
                    + " \(configuration.connectionLimits.connectionsPerAddress) of one address",
                .warning
            )
        }
        return configuration
    }

    /// Descriptors that are kept for files that a reload reads, the standard streams and the admin listener's connections.
    private static let spareDescriptors = 40
}

extension TicketSchedule {
    /// The ticket keys of files, else own ones.
    init(_ load: ServiceLoad, now: Int) throws(TLSError) {
        guard let keys = load.ticketKeys else {
            try self.init(now: now)
            return
        }
        self.init(keys: keys)
    }
}
