internal import Server
internal import System
internal import TLS

extension Supervisor {
    /// Serves what the files say now; what is broken stays as it was.
    func reload() {
        guard case .serving = phase else { return }
        tellReloading()
        defer { tellReady() }
        let next = loader.load(previous: load) { _, _ in tellAlive() }
        announcer.tell(next)
        violations.forget()
        guard let now = next.settings, next.isServable else {
            announcer.say("reload refused: everything is served as before", .error)
            return
        }
        if next.selfSigned != nil, load.selfSigned == nil {
            announcer.say(
                "reload refused: server.json names no certificate any more; everything is served as before",
                .error
            )
            return
        }
        if !now.hasSameSockets(as: settings) {
            announcer.say(
                "listeners, admin, proxies, workers, limits, timeouts and log (but its level) change only by a restart",
                .warning
            )
        }
        announcer.lines.level = now.log.level
        serve(now, next)
        announcer.announceReload(next)
        ProcessFacts.releaseFreedMemory()
    }

    private func serve(_ now: Settings, _ next: ServiceLoad) {
        var merged = settings
        merged.publicBaseURL = now.publicBaseURL
        merged.hosts = now.hosts
        merged.challengeDirectory = now.challengeDirectory
        server.replace(maker.content(merged, next, at: server.addresses))
        // Own keys outlive a reload.
        if next.ticketKeys != nil || load.ticketKeys != nil,
            let schedule = try? TicketSchedule(next, now: Clock.monotonicMilliseconds)
        {
            tickets = schedule
            server.replace(schedule.keys)
        }
        load = next
    }
}
