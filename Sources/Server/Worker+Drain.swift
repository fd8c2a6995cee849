internal import HTTP
internal import System

/// A drain in progress; times are milliseconds of the monotonic clock.
struct Drain {
    /// Until when a connection without a request is kept.
    var grace: Int
    let deadline: Int
    /// Whether nothing that has come in waits to be served.
    var isSwept = false
}

extension Worker {
    var isDrained: Bool {
        guard let drain else { return false }
        return connections.count == 0 && listeners.isEmpty || now >= drain.deadline
    }

    /// Takes what waits in the listeners' queues, and lets every connection end after its next answer.
    func beginDrain(deadline: Int) {
        guard drain == nil else { return }
        isParting = true
        drain = Drain(grace: min(now + Self.drainGrace, deadline), deadline: deadline)
        acceptsAgain = nil
        sweepListeners()
    }

    /// Takes what waits in the listeners' queues and closes them; while that can't be done, they stay for the grace: who
    /// waits in a queue that is closed is reset.
    private func sweepListeners() {
        let areSwept = listeners.map { acceptAll(from: $0) }.allSatisfy(\.self)
        if areSwept { listeners = [] }
    }

    /// Closes what is idle; a connection that has made no request yet may be about to, and gets a moment.
    func continueDrain(isQuiet: Bool) {
        drain?.isSwept = isQuiet
        guard let drain else { return }
        if acceptsAgain == nil { sweepListeners() }
        if now >= drain.grace { listeners = [] }
        if now >= drain.deadline {
            for connection in connections.all { close(connection, .drained) }
        }
        guard isQuiet else { return }
        for connection in connections.all where connection.state.deadline == .idle {
            if connection.requests > 0 || now >= drain.grace { close(connection, .drained) }
        }
        if now >= drain.grace { self.drain?.grace = drain.deadline }
    }
}
