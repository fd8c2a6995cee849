internal import Server
internal import System

extension Supervisor {
    /// How far a stop has come; times are milliseconds of the monotonic clock.
    enum Phase {
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

    /// How much longer than a drain may take its end is waited for.
    private static let drainSlack = 1_000

    /// Begins to stop; the second time there is no patience.
    func stop() -> End? {
        guard case .serving = phase else {
            announcer.say("stopped at once: a second signal came")
            return .stopped
        }
        // What is told may have to wait for who reads it.
        maker.sources.readiness.isReady = false
        server.partWithClients()
        announcer.say("stopping: \(server.connectionLimits.current) connections to end")
        tellStopping()
        phase = .delaying(until: Clock.monotonicMilliseconds + served.settings.drainDelaySeconds * 1_000)
        return nil
    }

    /// Goes on to what follows when the time of a phase is over.
    func endPhase() -> End? {
        switch phase {
        case .serving: return nil
        case .delaying:
            server.drain()
            phase = .draining(until: Clock.monotonicMilliseconds + startSettings.drainSeconds * 1_000 + Self.drainSlack)
            return nil
        case .draining:
            if server.isFinished { return takeFinished() }
            announcer.fail("stopped at once: a worker did not end in time")
            return .failed
        }
    }

    /// A worker has ended; all is over with the last one.
    func takeFinished() -> End? {
        server.finished.wakeup.clear()
        guard server.isFinished else { return nil }
        announcer.say("stopped")
        return .stopped
    }
}
