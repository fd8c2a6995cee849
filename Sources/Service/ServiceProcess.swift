internal import Bridges
internal import Crypto
internal import JSON
internal import Server
internal import System
internal import TLS

/// The service as a process: loads, serves, reloads on SIGHUP, drains on SIGTERM and SIGINT.
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
    /// Whether a broken tenant keeps the service from starting.
    private let isStrict: Bool
    /// Whether it has the inspector, which shows pages to the developer of an app.
    private let inspects: Bool
    private let readiness = Readiness()
    private let limits = IdentityLimits()

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
        let load = loader.load(progress: announcer.progress())
        announcer.tell(load)
        guard let settings = load.settings, load.isServable, !(isStrict && load.hasErrors) else {
            announcer.refuse(load)
            return .failed
        }
        do {
            let tickets = try schedule(load)
            return try supervise(try start(settings, load, tickets, reports), signals, load, tickets)
        } catch {
            announcer.fail("\(error)")
            return .failed
        }
    }

    private func start(
        _ settings: Settings,
        _ load: ServiceLoad,
        _ tickets: TicketSchedule,
        _ reports: ReportCollector
    ) throws(ServerError) -> Supervision {
        let sockets = try ServerSockets(bounded(settings.serverConfiguration))
        let addresses = sockets.addresses
        let metrics: [any MetricsSource] = [
            ProcessMetrics(), ServerMetrics(counters: sockets.counters, limits: sockets.connectionLimits),
            ReportMetrics(counts: reports.counts),
        ]
        let sources = AdminSources(readiness: readiness, metrics: metrics)
        let content = content(settings, load, addresses, sources, reports)
        let server = try Server(sockets, content: content, ticketKeys: tickets.keys)
        readiness.isReady = true
        return Supervision(server: server, sources: sources, reports: reports, settings: settings)
    }

    /// A server never runs out of descriptors by connections alone: some are left for files and probes.
    private func bounded(_ configuration: ServerConfiguration) -> ServerConfiguration {
        var configuration = configuration
        let own = Self.spareDescriptors + configuration.workers * (configuration.endpoints.count + 2)
        let room = max(1, ProcessFacts.raiseDescriptorLimit() - own)
        if configuration.connectionLimits.connections > room {
            configuration.connectionLimits.connections = room
            announcer.say("the process may open few files (ulimit -n): at most \(room) connections at once")
        }
        return configuration
    }

    /// Descriptors that are kept for files that a reload reads, the standard streams and the admin listener's connections.
    private static let spareDescriptors = 40

    private func content(
        _ settings: Settings,
        _ load: ServiceLoad,
        _ addresses: [SocketAddress],
        _ sources: AdminSources,
        _ reports: ReportCollector
    ) -> ServerContent {
        let site = load.site(
            settings,
            roles: settings.roles,
            sources: sources,
            reports: reports,
            limits: limits,
            securePort: settings.securePort(addresses)
        )
        return ServerContent(responder: site, certificates: load.certificates)
    }

    /// The ticket keys of files, else own ones.
    private func schedule(_ load: ServiceLoad) throws(TLSError) -> TicketSchedule {
        if let keys = load.ticketKeys { return TicketSchedule(keys: keys) }
        return try TicketSchedule(now: Clock.monotonicMilliseconds)
    }

    // MARK: Signals

    /// A server that runs, and what stays the same for its life.
    private struct Supervision {
        let server: Server
        let sources: AdminSources
        let reports: ReportCollector
        let settings: Settings
    }

    /// How far a stop has come; times are milliseconds of the monotonic clock.
    private enum Phase {
        case serving
        /// Connections are accepted until then.
        case delaying(until: Int)
        /// The workers end by themselves before then.
        case draining(until: Int)

        var due: Int? {
            switch self {
            case .serving: nil
            case .delaying(let due), .draining(let due): due
            }
        }
    }

    private static let signalToken: UInt64 = 0
    private static let finishedToken: UInt64 = 1
    private static let reportsToken: UInt64 = 2
    /// How much longer than a drain may take its end is waited for.
    private static let drainSlack = 1_000

    private func supervise(
        _ supervision: Supervision,
        _ signals: borrowing Signals,
        _ load: ServiceLoad,
        _ schedule: TicketSchedule
    ) throws(SystemError) -> End {
        let (server, settings, reports) = (supervision.server, supervision.settings, supervision.reports)
        let poller = try Poller(capacity: 3)
        try poller.add(signals.descriptor, for: .read, token: Self.signalToken)
        try poller.add(server.finished.wakeup.descriptor, for: .read, token: Self.finishedToken)
        try poller.add(reports.mailbox.wakeup.descriptor, for: .read, token: Self.reportsToken)
        announcer.announce(server, settings, load)
        ProcessFacts.releaseFreedMemory()
        var violations = ViolationLog()
        var current = load
        var tickets = schedule
        var phase = Phase.serving
        while !server.isFinished {
            let now = Clock.monotonicMilliseconds
            switch phase {
            case .delaying(let due) where due <= now:
                server.drain()
                phase = .draining(until: now + settings.drainSeconds * 1_000 + Self.drainSlack)
            case .draining(let due) where due <= now:
                announcer.fail("stopped at once: a worker did not end in time")
                return .failed
            default: break
            }
            // Without new randomness the keys that there are go on.
            if (try? tickets.renew(now: now)) == true { server.replace(tickets.keys) }
            let next = min(phase.due ?? .max, tickets.due ?? .max)
            let timeout = next == .max ? nil : max(0, next - now)
            let count = poller.waitOrRest(timeout: timeout) { announcer.fail("\($0)") }
            for index in 0..<count {
                switch poller.event(index).token {
                case Self.finishedToken:
                    server.finished.wakeup.clear()
                    continue
                case Self.reportsToken:
                    tell(reports, &violations)
                    continue
                default: break
                }
                // A signal that could not be read is still there.
                guard let signal = try? signals.next() else { continue }
                switch (signal, phase) {
                case (.hangUp, .serving):
                    current = reload(supervision, current, &tickets)
                    violations.forget()
                case (.hangUp, _): break
                case (_, .serving):
                    announcer.say("stopping: \(server.connectionLimits.current) connections to end")
                    readiness.isReady = false
                    phase = .delaying(until: Clock.monotonicMilliseconds + settings.drainDelaySeconds * 1_000)
                default:
                    announcer.say("stopped at once: a second signal came")
                    return .stopped
                }
            }
        }
        announcer.say("stopped")
        return .stopped
    }

    private func tell(_ reports: ReportCollector, _ log: inout ViolationLog) {
        let violations = reports.mailbox.take()
        reports.counts.count(violations)
        for line in log.lines(for: violations, second: reports.second) { announcer.say(line) }
    }

    /// Serves what the files say now; what is broken stays as it was.
    private func reload(
        _ supervision: Supervision,
        _ previous: ServiceLoad,
        _ tickets: inout TicketSchedule
    ) -> ServiceLoad {
        let (server, settings) = (supervision.server, supervision.settings)
        let load = loader.load(previous: previous)
        announcer.tell(load)
        guard let now = load.settings, load.isServable else {
            announcer.say("reload refused: everything is served as before")
            return previous
        }
        if load.selfSigned != nil, previous.selfSigned == nil {
            announcer.say("reload refused: server.json names no certificate any more; everything is served as before")
            return previous
        }
        if !now.hasSameSockets(as: settings) {
            announcer.say("listeners, admin, workers, limits and timeouts change only by a restart")
        }
        var merged = settings
        merged.publicBaseURL = now.publicBaseURL
        merged.hosts = now.hosts
        server.replace(content(merged, load, server.addresses, supervision.sources, supervision.reports))
        // Own keys outlive a reload.
        if load.ticketKeys != nil || previous.ticketKeys != nil, let schedule = try? schedule(load) {
            tickets = schedule
            server.replace(schedule.keys)
        }
        announcer.announceReload(load)
        ProcessFacts.releaseFreedMemory()
        return load
    }
}
