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
    }

    private let loader: ServiceLoader
    private let announcer: Announcer
    /// Whether a broken tenant keeps the service from starting.
    private let isStrict: Bool
    private let readiness = Readiness()

    /// A process over files; `isStrict` refuses to start with a broken tenant.
    public init(_ files: ServiceFiles, isStrict: Bool) {
        loader = ServiceLoader(files)
        announcer = Announcer(files: files)
        self.isStrict = isStrict
    }

    /// Serves until a signal ends it.
    public func run() -> End {
        let signals: Signals
        do throws(SystemError) {
            signals = try Signals()
        } catch {
            announcer.fail("\(error)")
            return .failed
        }
        let load = loader.load(progress: announcer.progress())
        announcer.tell(load)
        guard let settings = load.settings, load.isServable, !(isStrict && load.hasErrors) else {
            announcer.refuse(load)
            return .failed
        }
        do {
            let tickets = try schedule(load)
            let server = try start(settings, load, tickets)
            announcer.announce(server, settings, load)
            return try supervise(server, signals, settings, load, tickets)
        } catch {
            announcer.fail("\(error)")
            return .failed
        }
    }

    private func start(
        _ settings: Settings,
        _ load: ServiceLoad,
        _ tickets: TicketSchedule
    ) throws(ServerError) -> Server {
        let sockets = try ServerSockets(settings.serverConfiguration)
        let addresses = sockets.addresses
        let server = try Server(sockets, content: content(settings, load, addresses), ticketKeys: tickets.keys)
        readiness.isReady = true
        return server
    }

    private func content(_ settings: Settings, _ load: ServiceLoad, _ addresses: [SocketAddress]) -> ServerContent {
        let site = load.site(
            settings,
            roles: settings.roles,
            readiness: readiness,
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

    private static let signalToken: UInt64 = 0
    private static let finishedToken: UInt64 = 1

    private func supervise(
        _ server: Server,
        _ signals: borrowing Signals,
        _ settings: Settings,
        _ load: ServiceLoad,
        _ schedule: TicketSchedule
    ) throws(SystemError) -> End {
        let poller = try Poller(capacity: 2)
        try poller.add(signals.descriptor, for: .read, token: Self.signalToken)
        try poller.add(server.finished.wakeup.descriptor, for: .read, token: Self.finishedToken)
        var current = load
        var tickets = schedule
        var drainAt: Int?
        while !server.isFinished {
            let now = Clock.monotonicMilliseconds
            if let due = drainAt, due <= now {
                server.drain()
                drainAt = .max
            }
            // Without new randomness the keys that there are go on.
            if (try? tickets.renew(now: now)) == true { server.replace(tickets.keys) }
            let next = min(drainAt ?? .max, tickets.due ?? .max)
            for index in 0..<(try poller.wait(timeout: next == .max ? nil : max(0, next - now))) {
                guard poller.event(index).token == Self.signalToken else {
                    server.finished.wakeup.clear()
                    continue
                }
                let signal = try signals.next()
                if signal == .hangUp {
                    if drainAt == nil { current = reload(server, settings, current, &tickets) }
                } else if drainAt == nil {
                    announcer.say("stopping: \(server.connectionLimits.current) connections to end")
                    readiness.isReady = false
                    drainAt = Clock.monotonicMilliseconds + settings.drainDelaySeconds * 1_000
                } else {
                    announcer.say("stopped at once: a second signal came")
                    return .stopped
                }
            }
        }
        announcer.say("stopped")
        return .stopped
    }

    /// Serves what the files say now; what is broken stays as it was.
    private func reload(
        _ server: Server,
        _ settings: Settings,
        _ previous: ServiceLoad,
        _ tickets: inout TicketSchedule
    ) -> ServiceLoad {
        let load = loader.load(previous: previous)
        announcer.tell(load)
        guard let now = load.settings, load.isServable else {
            announcer.say("reload refused: everything is served as before")
            return previous
        }
        if !now.hasSameSockets(as: settings) {
            announcer.say("listeners, admin, workers, limits and timeouts change only by a restart")
        }
        var merged = settings
        merged.publicBaseURL = now.publicBaseURL
        merged.hosts = now.hosts
        server.replace(content(merged, load, server.addresses))
        // Own keys outlive a reload.
        if load.ticketKeys != nil || previous.ticketKeys != nil, let schedule = try? schedule(load) {
            tickets = schedule
            server.replace(schedule.keys)
        }
        announcer.announceReload(load)
        return load
    }
}
