internal import HTTP
internal import System

/// A drain in progress; times are milliseconds of the monotonic clock.
struct Drain {
    /// Until when a connection without a request is kept.
    var grace: Int
    let deadline: Int
    /// Whether all that had come in before the drain was served.
    var isSwept = false
}

extension Worker {
    var isDrained: Bool {
        guard let drain else { return false }
        return connections.count == 0 || now >= drain.deadline
    }

    /// Takes what waits in the listeners' queues, closes them, and lets every connection end after its next answer.
    func beginDrain(deadline: Int) {
        guard drain == nil else { return }
        drain = Drain(grace: min(now + Self.drainGrace, deadline), deadline: deadline)
        acceptsAgain = nil
        for open in listeners { acceptAll(from: open) }
        listeners = []
    }

    /// Closes what is idle; a connection that has made no request yet may be about to, and gets a moment.
    func continueDrain(isQuiet: Bool) {
        if isQuiet { drain?.isSwept = true }
        guard let drain, drain.isSwept else { return }
        for connection in connections.all where connection.state.deadline == .idle {
            if connection.requests > 0 || now >= drain.grace { close(connection, .drained) }
        }
        if now >= drain.grace { self.drain?.grace = drain.deadline }
        guard now >= drain.deadline else { return }
        for connection in connections.all { close(connection, .drained) }
    }
}
