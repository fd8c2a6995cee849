internal import Server
internal import System

// What the service manager is told, where one started the process and listens.

extension Supervisor {
    /// That requests are answered, and what is served.
    func tellReady() {
        manager?.tell("READY=1", "STATUS=Serving \(announcer.summary(served.load))")
    }

    /// That files are read again; it waits for ``tellReady()``.
    func tellReloading() {
        manager?.tell("RELOADING=1", "MONOTONIC_USEC=\(Clock.monotonicMicroseconds)", "STATUS=Reading files again")
    }

    func tellStopping() {
        manager?.tell("STOPPING=1", "STATUS=Stopping: \(server.connectionLimits.current) connections to end")
    }

    /// That this thread lives, which takes signals, reloads and stops, if that is due.
    ///
    /// Workers are not asked.
    func tellAlive() {
        guard let due = watchdogDue, let manager, let period = manager.watchdogPeriod else { return }
        let now = Clock.monotonicMilliseconds
        guard due <= now else { return }
        manager.tell("WATCHDOG=1")
        watchdogDue = now + period
    }
}
