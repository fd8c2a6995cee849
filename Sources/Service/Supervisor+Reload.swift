internal import Bridges
internal import Server
internal import System
internal import TLS

extension Supervisor {
    /// Why files are read again.
    enum ReloadCause {
        /// A SIGHUP: everything is read, and the outcome is told in any case.
        case signal
        /// Something changed: what looks the same is not read, and what is the same is not told.
        case change
    }

    /// Serves what the files say now; what is broken stays as it was.
    func reload(_ cause: ReloadCause) -> End? {
        recheckDue = nil
        // Of the signals that have come, SIGHUP is taken first: without this, one after another would keep a stop away.
        guard !Signals.hasStop else { return nil }
        let hasMissed = watch?.beginLoad() ?? false
        guard case .serving = phase else {
            if cause == .signal { announcer.say("no reload: a stop was asked for") }
            return nil
        }
        if cause == .signal { tellReloading() }
        defer { tellReady() }
        let next = loader.load(previous: served.load, memory: memory, rereads: cause == .signal || hasMissed) { _, _ in
            tellAlive()
            return !Signals.hasStop
        }
        // It is taken next.
        guard !Signals.hasStop else { return nil }
        let last = attempt
        attempt = next
        let isNews = next.inputs != last.inputs
        if cause == .signal { announcer.tell(next) } else if isNews { announcer.tell(next, since: last) }
        let outcome = serve(next)
        maker.sources.status.note(
            outcome,
            next,
            served: served.load,
            keysForRestart: next.settings.map(startSettings.keysForRestart) ?? [],
            now: Clock.wallSeconds
        )
        if cause == .signal || outcome == .applied { violations.forget() }
        tellOfRestart(next, since: last)
        if cause == .signal || isNews || outcome == .applied { announcer.announce(outcome, served.load) }
        watchFiles()
        if !next.summary.keptCertificates.isEmpty, served.settings.watchesFiles {
            recheckDue = Clock.monotonicMilliseconds + Self.recheckPeriod
        }
        return nil
    }

    private func serve(_ next: ServiceLoad) -> ReloadStatus.Outcome {
        guard let now = next.settings, next.isServable else { return .refused }
        if next.selfSigned != nil, served.load.selfSigned == nil, served.load.certificates != nil {
            announcer.say("server.json names no certificate any more", .error)
            return .refused
        }
        if next.isSame(as: served.load) { return .unchanged }
        let before = served.load
        let settings = startSettings.adopting(now)
        announcer.lines.level = settings.log.level
        let content = maker.content(settings, next, at: server.addresses, after: before)
        replace(by: Served(load: next, settings: settings, content: content))
        // Own keys outlive a reload.
        if next.ticketKeys != nil || before.ticketKeys != nil,
            let schedule = try? TicketSchedule(next, now: Clock.monotonicMilliseconds)
        {
            tickets = schedule
            server.replace(schedule.keys)
        }
        return .applied
    }

    /// Keeps what was served for a moment, so that no worker has to free it, which takes long.
    private func replace(by next: Served) {
        retired = (served, Clock.monotonicMilliseconds + Self.retirement)
        served = next
        server.replace(next.content)
    }

    /// Frees what was replaced, once no worker answers by it.
    func dropRetired() -> End? {
        retired = nil
        ProcessFacts.releaseFreedMemory()
        return nil
    }

    /// Says which keys wait for a restart, once for each change of them.
    private func tellOfRestart(_ next: ServiceLoad, since last: ServiceLoad) {
        guard let now = next.settings else { return }
        let keys = startSettings.keysForRestart(to: now)
        let isTold = last.settings.map { $0.keysForRestart(to: now).isEmpty } ?? false
        guard !keys.isEmpty, !isTold else { return }
        announcer.say(
            "server.json: \(keys.joined(separator: ", ")) can change only by a restart; the old values hold",
            .warning
        )
    }

    /// Watches the files of what is served and of what was read last, or nothing if the settings say so.
    func watchFiles() {
        let inputs = served.settings.watchesFiles ? served.load.inputs.merging(attempt.inputs) { $1 } : [:]
        announcer.failToWatch(watch?.cover(inputs) ?? [])
    }
}
