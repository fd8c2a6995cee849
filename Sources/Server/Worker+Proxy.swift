internal import HTTP
internal import System

/// The PROXY protocol, which a listener that takes it requires.
extension Worker {
    /// Why a connection is not even counted: anybody could announce anybody.
    func refusal(of facts: borrowing ConnectionFacts, _ open: OpenListener) -> CloseReason? {
        open.takesProxyHeader && !facts.isFromTrustedProxy ? .untrustedPeer : nil
    }

    /// Takes `count` received bytes as more of the header, and serves those that come after it.
    ///
    /// The deadline of handshakes runs from the accept and covers the header.
    func receiveProxyHeader(_ connection: Connection, _ count: Int) {
        let before = connection.input.count
        connection.input += received[..<count]
        switch ProxyHeader.read(connection.input.span) {
        case .incomplete: return
        case .malformed: close(connection, .malformedProxyHeader)
        case .complete(let header):
            connection.input = []
            connection.awaitsProxyHeader = false
            guard announce(header.source, connection) else { return close(connection, .tooManyFromAddress) }
            if connection.session == nil { releaseHandshakePlace(connection) }
            let rest = count - (header.count - before)
            guard rest > 0 else { return settle(connection) }
            received.withUnsafeMutableBytes { buffer in
                let tail = UnsafeRawBufferPointer(rebasing: buffer[(count - rest)..<count])
                buffer.copyMemory(from: tail)
            }
            take(connection, rest)
        }
    }

    /// Makes the source the connection's peer, and counts the connection for it; false if that has too many.
    private func announce(_ source: SocketAddress?, _ connection: Connection) -> Bool {
        let listener = connection.facts.listener
        guard let source else {
            // It passes on somebody's bytes, or its own: what they say of others is not the proxy's word.
            connection.facts = ConnectionFacts(listener: listener, peer: connection.facts.peer)
            return true
        }
        connection.facts = ConnectionFacts(listener: listener, peer: source, proxies: configuration.trustedProxies)
        guard !connection.facts.isFromTrustedProxy else { return true }
        guard limits.assign(to: source, isLimited: configuration.endpoints[listener].isLimited) else { return false }
        connection.countedPeer = source
        return true
    }
}
