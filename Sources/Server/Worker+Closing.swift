internal import HTTP
internal import System
internal import TLS

extension Worker {
    /// After an event: what the connection waits for now, with what deadline, or how it ends.
    ///
    /// - Parameter received: how many bytes of a request the event brought.
    func settle(_ connection: Connection, received: Int = 0) {
        waitAfterEvent(connection, received)
        guard !connection.isClosed else { return }
        let added = connection.keptBytes - connection.countedBytes
        if added != 0 { countKept(connection, added) }
    }

    private func waitAfterEvent(_ connection: Connection, _ received: Int) {
        if connection.hasOutput {
            // The handshake's own deadline covers what is sent in it.
            if !connection.isHandshaking { wait(connection, for: .write, progress: 0) }
            _ = isPolled(connection, for: .write)
            return
        }
        if connection.peerEndedTLS, connection.ending == nil {
            connection.ending = connection.isBetweenRequests ? .peerClosed : .peerAborted
        }
        if let reason = connection.ending { return end(connection, reason) }
        guard isPolled(connection, for: .read), !connection.isHandshaking else { return }
        let answered = connection.requests - connection.settledRequests
        connection.settledRequests = connection.requests
        if connection.decoder.awaitsContent {
            wait(connection, for: .body, progress: answered > 0 ? ConnectionState.progressUnit : received)
        } else {
            let hasBegun = !connection.isBetweenRequests || connection.hasBegunUnseen
            wait(connection, for: hasBegun ? .head : .idle, progress: answered)
        }
    }

    func wait(_ connection: Connection, for deadline: Deadline, progress: Int) {
        let before = connection.state.deadline
        guard connection.state.wait(for: deadline, progress: progress) else { return }
        if before != deadline { counters.countWaiting(from: before, to: deadline) }
        deadlines.arm(ConnectionTable.slot(connection.token), deadline, now: now)
    }

    /// Changes what the connection is polled for; one that can't be polled would wait for nothing, so it is closed.
    private func isPolled(_ connection: Connection, for interest: Poller.Interest) -> Bool {
        guard interest != connection.interest else { return true }
        connection.interest = interest
        do throws(SystemError) {
            try poller.change(connection.descriptor, to: interest, token: connection.token)
            return true
        } catch {
            close(connection, .failed)
            return false
        }
    }

    /// Ends our side and waits a moment for the peer's: closing at once could destroy the answer on its way, since a
    /// byte that arrives at a closed socket is answered with a reset (RFC 9112 §9.6).
    private func end(_ connection: Connection, _ reason: CloseReason) {
        guard reason.leavesAnswer else { return close(connection, reason) }
        guard connection.state.deadline != .linger else { return }
        sayGoodbye(connection)
        if connection.hasOutput { return settle(connection) }
        guard isPolled(connection, for: .read) else { return }
        // What only lingers keeps no place from those who begin.
        if connection.isHandshaking { releaseHandshakePlace(connection) }
        connection.descriptor.endSending()
        // Nothing that comes is read any more.
        connection.input = []
        connection.session = nil
        wait(connection, for: .linger, progress: 0)
    }

    private func sayGoodbye(_ connection: Connection) {
        guard connection.session != nil, !connection.isHandshaking else { return }
        connection.session?.end()
        sendExchange(connection)
    }

    /// Closes at once.
    ///
    /// What came after our own end, or did not come, is not why it ended.
    func close(_ connection: Connection, _ reason: CloseReason) {
        guard !connection.isClosed else { return }
        if reason.deservesGoodbye || connection.peerEndedTLS { sayGoodbye(connection) }
        deadlines.disarm(ConnectionTable.slot(connection.token))
        limits.leave(connection.countedPeer, duringHandshake: connection.isHandshaking)
        counters.countWaiting(from: connection.state.deadline, to: nil)
        let isLingering = connection.state.deadline == .linger
        counters.countClose(isLingering ? connection.ending ?? reason : reason)
        connections.release(connection.token)
        connection.isClosed = true
        limits.keep(-connection.countedBytes)
        connection.countedBytes = 0
        connection.input = []
        connection.output = []
        connection.sent = 0
    }
}

extension CloseReason {
    /// Whether an answer, an alert or a goodbye of ours may still be on its way.
    fileprivate var leavesAnswer: Bool {
        switch self {
        case .ended, .rejected, .headTimeout, .bodyTimeout, .handshakeFailed, .tlsFailed: true
        default: false
        }
    }

    /// Whether a session is ended at once but properly: nothing of it is under way.
    fileprivate var deservesGoodbye: Bool {
        switch self {
        case .idleTimeout, .drained, .peerClosed, .tooManyConnections: true
        default: false
        }
    }

    /// Why a connection ends whose socket failed.
    init(socketError code: CInt) {
        self = StreamResult.isOwnFault(code) ? .failed : .peerAborted
    }
}
