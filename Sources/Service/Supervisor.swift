internal import Bridges
internal import Server
internal import System
internal import TLS

/// What is served.
struct Served {
    /// What was read.
    var load: ServiceLoad
    /// Those that hold: of some keys, what the process was started with.
    var settings: Settings
    /// What the workers answer with.
    var content: ServerContent
}

/// Watches over a server that runs, on the main thread: signals, stopping, reloads, and what workers tell.
final class Supervisor {
    typealias End = ServiceProcess.End

    let server: Server
    /// Those that the server was started with: what a restart alone changes.
    let startSettings: Settings
    let maker: ContentMaker
    let loader: ServiceLoader
    let memory: LoadMemory
    let announcer: Announcer
    /// The access log; nil if there is none.
    private let accessLog: AccessLog?
    /// Who started the process; nil where nobody listens.
    let manager: ServiceManager?
    private let signals: Signals

    var served: Served
    /// What was read last, which may not be servable.
    var attempt: ServiceLoad
    /// What was served before the last reload, and until when it is kept, in milliseconds of the monotonic clock.
    var retired: (served: Served, due: Int)?
    /// How long, in milliseconds, that is: workers take what is new within an event.
    static let retirement = 1_000
    /// When files of certificates that were kept are read again, in milliseconds of the monotonic clock: one that is not
    /// valid yet becomes so without a change.
    var recheckDue: Int?
    static let recheckPeriod = 60_000
    /// Nil if the system has none left.
    let watch: FileWatch?
    var tickets: TicketSchedule
    var violations = ViolationLog()
    var phase = Phase.serving
    /// When the manager is told next that this thread lives, in milliseconds of the monotonic clock.
    var watchdogDue: Int?
    /// When the metrics that stand in files are read next; they are never older than that.
    private var metricsDue = Clock.monotonicMilliseconds
    private static let metricsPeriod = 5_000
    private var certificates = CertificateWatch(now: Clock.monotonicMilliseconds)

    init(
        server: Server,
        served: Served,
        tickets: TicketSchedule,
        maker: ContentMaker,
        signals: consuming Signals,
        loader: ServiceLoader,
        memory: LoadMemory,
        announcer: Announcer,
        accessLog: AccessLog?
    ) {
        self.server = server
        self.served = served
        startSettings = served.settings
        attempt = served.load
        self.tickets = tickets
        self.maker = maker
        self.signals = signals
        self.loader = loader
        self.memory = memory
        self.announcer = announcer
        self.accessLog = accessLog
        do throws(SystemError) {
            watch = try FileWatch()
        } catch {
            watch = nil
            if served.settings.watchesFiles { announcer.failToWatch([error]) }
        }
        manager = ServiceManager(announcer.files.environment)
        watchdogDue = manager?.watchdogPeriod.map { Clock.monotonicMilliseconds + $0 }
    }

    /// Watches until the server has ended or must not be waited for.
    func run() throws(SystemError) -> End {
        let loop = try eventLoop()
        watchFiles()
        _ = refreshMetrics()
        announcer.announce(server, served.settings, served.load)
        tellReady()
        ProcessFacts.releaseFreedMemory()
        let end = loop.run { announcer.fail("\($0)") }
        accessLog?.finish()
        return end
    }

    /// All that is waited for.
    private func eventLoop() throws(SystemError) -> EventLoop<End> {
        var loop = try EventLoop<End>()
        try loop.when(signals.descriptor) { self.takeSignal() }
        try loop.when(server.finished.wakeup.descriptor) { self.takeFinished() }
        try loop.when(maker.reports.mailbox.wakeup.descriptor) { self.tellViolations() }
        loop.at({ self.phase.due }) { self.endPhase() }
        loop.at({ self.tickets.due }) { self.renewTickets() }
        try watch?.add(to: &loop)
        loop.at({ self.watch?.due }) { self.reload(.change) }
        loop.at({ self.certificates.due }) { self.lookAtCertificates() }
        loop.at({ self.recheckDue }) { self.reload(.change) }
        loop.at({ self.retired?.due }) { self.dropRetired() }
        loop.at({ self.metricsDue }) { self.refreshMetrics() }
        loop.at({ self.watchdogDue }) {
            self.tellAlive()
            return nil
        }
        return loop
    }

    private func takeSignal() -> End? {
        // A signal that could not be read is still there.
        guard let signal = try? signals.next() else { return nil }
        switch signal {
        case .hangUp: return reload(.signal)
        case .user1: reopenLog()
        case .terminate, .interrupt: return stop()
        }
        return nil
    }

    private func reopenLog() {
        guard let accessLog else { return announcer.say("SIGUSR1 came, and there is no access log", .debug) }
        accessLog.reopen()
    }

    private func tellViolations() -> End? {
        let reports = maker.reports
        let taken = reports.mailbox.take()
        reports.counts.count(taken)
        for line in violations.lines(for: taken, second: reports.second) { announcer.say(line, .warning) }
        return nil
    }

    private func lookAtCertificates() -> End? {
        let (now, wall) = (Clock.monotonicMilliseconds, Clock.wallSeconds)
        announcer.tell(certificates.look(at: served.load.servedCertificates, now: now, wall: wall))
        return nil
    }

    private func refreshMetrics() -> End? {
        for source in maker.sources.metrics { source.refresh() }
        metricsDue = Clock.monotonicMilliseconds + Self.metricsPeriod
        return nil
    }

    private func renewTickets() -> End? {
        // Without new randomness the keys that there are go on.
        if (try? tickets.renew(now: Clock.monotonicMilliseconds)) == true {
            server.replace(tickets.keys)
            announcer.say("session tickets are sealed by a new key", .debug)
        }
        return nil
    }
}
