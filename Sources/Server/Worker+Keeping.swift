internal import HTTP

extension Worker {
    /// Counts what a connection keeps more than before; when all together keep too much, room is made for it.
    ///
    /// Most requests come and are answered whole, keep nothing and never get here.
    func countKept(_ connection: Connection, _ added: Int) {
        connection.countedBytes += added
        limits.keep(added)
        if added > 0 { makeRoom(for: connection, added) }
    }

    /// Closes those of this worker that have got on least, so that who stalls on purpose pays for who comes; where there
    /// are none, the connection itself.
    private func makeRoom(for connection: Connection, _ added: Int) {
        var needed = added
        while needed > 0, limits.keepsTooMuch {
            guard let stalled = stalled(besides: connection) else { return close(connection, .tooMuchKept) }
            needed -= stalled.countedBytes
            close(stalled, .tooMuchKept)
        }
    }

    /// Whose answer, content, head or handshake has waited longest for progress, of those who keep something.
    private func stalled(besides connection: Connection) -> Connection? {
        for deadline in [Deadline.write, .body, .head, .handshake] {
            let slot = deadlines.oldest(deadline) { slot in
                guard let other = connections.connection(slot: slot) else { return false }
                return other !== connection && other.countedBytes > 0
            }
            if let slot { return connections.connection(slot: slot) }
        }
        return nil
    }
}
