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
    private let limits = IdentityLimits()

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
            let server = try start(settings, load)
            announcer.announce(server, settings, load)
            return try supervise(server, signals, settings, load)
        } catch {
            announcer.fail("\(error)")
            return .failed
        }
    }

    private func start(_ settings: Settings, _ load: ServiceLoad) throws(ServerError) -> Server {
        let sockets = try ServerSockets(settings.serverConfiguration)
        let addresses = sockets.addresses
        let server = try Server(sockets, content: content(settings, load, addresses))
        readiness.isReady = true
        return server
    }

    private func content(_ settings: Settings, _ load: ServiceLoad, _ addresses: [SocketAddress]) -> ServerContent {
        let site = load.site(
            settings,
            roles: settings.roles,
            readiness: readiness,
            limits: limits,
            securePort: settings.securePort(addresses)
        )
        return ServerContent(responder: site, certificates: load.certificates)
    }

    // MARK: Signals

    private static let signalToken: UInt64 = 0
    private static let finishedToken: UInt64 = 1

    private func supervise(
        _ server: Server,
        _ signals: borrowing Signals,
        _ settings: Settings,
        _ load: ServiceLoad
    ) throws(SystemError) -> End {
        let poller = try Poller(capacity: 2)
        try poller.add(signals.descriptor, for: .read, token: Self.signalToken)
        try poller.add(server.finished.wakeup.descriptor, for: .read, token: Self.finishedToken)
        var current = load
        var drainAt: Int?
        while !server.isFinished {
            let now = Clock.monotonicMilliseconds
            if let due = drainAt, due <= now {
                server.drain()
                drainAt = .max
            }
            let timeout = drainAt.flatMap { $0 == .max ? nil : max(0, $0 - now) }
            for index in 0..<(try poller.wait(timeout: timeout)) {
                guard poller.event(index).token == Self.signalToken else {
                    server.finished.wakeup.clear()
                    continue
                }
                let signal = try signals.next()
                if signal == .hangUp {
                    if drainAt == nil { current = reload(server, settings, current) }
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
    private func reload(_ server: Server, _ settings: Settings, _ previous: ServiceLoad) -> ServiceLoad {
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
        announcer.announceReload(load)
        return load
    }
}
