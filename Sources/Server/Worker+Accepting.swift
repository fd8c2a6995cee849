internal import HTTP
internal import System
internal import TLS

extension Worker {
    /// How far a batch of accepts got.
    enum Accepting {
        /// Nobody waits any more.
        case allTaken
        /// More may wait.
        case batchTaken
        /// It rests for a while, and somebody may wait.
        case paused
    }

    /// Accepts what waits; no more than a queue holds, since others may come as fast as they are taken.
    ///
    /// - Returns: whether nobody waits any more.
    func acceptAll(from open: OpenListener) -> Bool {
        for _ in 0..<(Self.backlog / Self.acceptBatch) {
            switch accept(from: open) {
            case .allTaken: return true
            case .batchTaken: continue
            case .paused: return false
            }
        }
        return false
    }

    @discardableResult
    func accept(from open: OpenListener) -> Accepting {
        guard acceptsAgain == nil else { return .paused }
        var aborted = 0
        for _ in 0..<Self.acceptBatch {
            switch open.listener.accept() {
            case .connection(let descriptor, let peer): admit(descriptor, peer, open)
            case .none: return .allTaken
            case .aborted:
                counters.count(.acceptAborted)
                aborted += 1
            case .failed:
                pauseAccepting()
                return .paused
            }
        }
        guard aborted < Self.acceptBatch else {
            pauseAccepting()
            return .paused
        }
        return .batchTaken
    }

    private func admit(_ descriptor: consuming Descriptor, _ peer: SocketAddress, _ open: OpenListener) {
        counters.count(.accepted)
        let facts = ConnectionFacts(listener: open.index, peer: peer, proxies: configuration.trustedProxies)
        let countedPeer = facts.isFromTrustedProxy ? nil : peer
        if let reason = refusal(of: facts, open) ?? enter(countedPeer, open) {
            counters.countClose(reason)
            return
        }
        let token = connections.reserve()
        do {
            let connection = Connection(
                descriptor: descriptor,
                token: token,
                facts: facts,
                session: try makeSession(open),
                limits: configuration.requestLimits,
                awaitsProxyHeader: open.takesProxyHeader
            )
            connection.countedPeer = countedPeer
            try poller.add(connection.descriptor, for: .read, token: token)
            connections.insert(connection)
            deadlines.arm(ConnectionTable.slot(token), connection.state.deadline, now: now)
            counters.countWaiting(from: nil, to: connection.state.deadline)
        } catch {
            connections.release(token)
            limits.leave(countedPeer, duringHandshake: open.hasHandshake)
            counters.countClose(.failed)
        }
    }

    /// Counts a connection in.
    ///
    /// When the process is full, one of this worker's that only waits makes room: the oldest handshake for another; for
    /// any the longest idle, else who has begun something, or been answered, and not gone on for longest. So a crowd that
    /// does nothing, or next to nothing, keeps nobody out.
    private func enter(_ peer: SocketAddress?, _ open: OpenListener) -> CloseReason? {
        func enter() -> CloseReason? { limits.enter(peer, usesTLS: open.hasHandshake, isLimited: open.isLimited) }
        guard let reason = enter() else { return nil }
        let waiting: [[Deadline]] =
            switch reason {
            case .tooManyHandshakes: [[.handshake]]
            case .tooManyConnections: [[.idle], [.linger], [.head, .handshake, .body, .write]]
            default: []
            }
        guard let slot = waiting.lazy.compactMap({ self.deadlines.oldest(of: $0) }).first,
            let oldest = connections.connection(slot: slot)
        else { return reason }
        close(oldest, reason)
        return enter()
    }

    private func makeSession(_ open: OpenListener) throws(TLSError) -> TLSSession? {
        guard open.usesTLS else { return nil }
        guard let tlsContext else { throw .noCertificate }
        return try TLSSession(context: tlsContext, exchange: exchange)
    }

    /// Level-triggered polling would spin on a connection that can't be accepted.
    private func pauseAccepting() {
        counters.count(.acceptPaused)
        acceptsAgain = now + Self.acceptPause
        _ = waitOnListeners(for: [])
    }

    func resumeAccepting() {
        guard let again = acceptsAgain, again <= now else { return }
        acceptsAgain = waitOnListeners(for: .read) ? nil : now + Self.acceptPause
    }

    /// Changes what all listeners are waited for; false if one is not.
    ///
    /// Taking them out and in would need memory just when there may be none.
    private func waitOnListeners(for interest: Poller.Interest) -> Bool {
        var isDone = true
        for (index, open) in listeners.enumerated() {
            let token = Self.firstListenerToken + UInt64(index)
            do { try poller.change(open.listener.descriptor, to: interest, token: token) } catch { isDone = false }
        }
        return isDone
    }
}
