internal import HTTP
internal import System
internal import TLS

extension Worker {
    /// After an event: what the connection waits for now, with what deadline, or how it ends.
    ///
    /// - Parameter received: how many bytes of a request the event brought.
    func settle(_ connection: Connection, received: Int = 0) {
        if connection.hasOutput {
            wait(connection, for: .write, progress: 0)
            return setInterest(connection, .write)
        }
        setInterest(connection, .read)
        if let reason = connection.ending { return end(connection, reason) }
        if connection.isHandshaking { return }
        let answered = connection.requests - connection.settledRequests
        connection.settledRequests = connection.requests
        if connection.decoder.awaitsContent {
            wait(connection, for: .body, progress: answered > 0 ? ConnectionState.progressUnit : received)
        } else {
            wait(connection, for: connection.input.isEmpty ? .idle : .head, progress: answered)
        }
    }

    func wait(_ connection: Connection, for deadline: Deadline, progress: Int) {
        guard connection.state.wait(for: deadline, progress: progress) else { return }
        deadlines.arm(ConnectionTable.slot(connection.token), deadline, now: now)
    }

    private func setInterest(_ connection: Connection, _ interest: Poller.Interest) {
        guard interest != connection.interest else { return }
        connection.interest = interest
        try? poller.change(connection.descriptor, to: interest, token: connection.token)
    }

    /// Ends our side and waits a moment for the peer's: closing at once could destroy the answer on its way, since a
    /// byte that arrives at a closed socket is answered with a reset (RFC 9112 §9.6).
    private func end(_ connection: Connection, _ reason: CloseReason) {
        guard reason == .ended || reason == .rejected || reason == .handshakeFailed || reason == .tlsFailed else {
            return close(connection, reason)
        }
        guard connection.state.deadline != .linger else { return }
        sayGoodbye(connection)
        connection.descriptor.endSending()
        connection.input = []
        wait(connection, for: .linger, progress: 0)
    }

    private func sayGoodbye(_ connection: Connection) {
        guard connection.session != nil, !connection.isHandshaking else { return }
        connection.session?.end()
        sendExchange(connection)
    }

    /// Closes at once.
    func close(_ connection: Connection, _ reason: CloseReason) {
        let isOrderly = reason == .idleTimeout || reason == .drained || reason == .peerClosed
        if isOrderly || connection.peerEndedTLS { sayGoodbye(connection) }
        deadlines.disarm(ConnectionTable.slot(connection.token))
        limits.leave(connection.facts.peer, duringHandshake: connection.holdsHandshakePlace)
        counters.countClose(connection.ending ?? reason)
        connections.release(connection.token)
    }
}
