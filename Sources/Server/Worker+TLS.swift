internal import HTTP
internal import System
internal import TLS

extension Worker {
    /// Takes `count` received bytes through the session: handshake, then requests.
    func receiveTLS(_ connection: Connection, _ count: Int) {
        if !connection.sawFirstByte {
            connection.sawFirstByte = true
            if looksLikeHTTP(received[0]) { return rejectPlain(connection, count) }
        }
        if isBarren(connection, adding: count) {
            connection.ending = connection.isHandshaking ? .handshakeFailed : .tlsFailed
            return settle(connection)
        }
        let plain = received.withUnsafeBytes { buffer in
            exchange.withInput(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { decrypt(connection) }
        }
        if plain > 0 {
            let before = connection.requests
            serve(connection, adding: plain)
            let share = Self.recordShare * plain + TLSSession.recordBuffer * (connection.requests - before)
            connection.barrenBytes = max(0, connection.barrenBytes - share)
        }
        sendExchange(connection)
        settle(connection, received: plain)
    }

    /// So many bytes of TLS for each byte of a request are no flood: a record of one byte has some less.
    ///
    /// Nor is a whole record for a request, as one is that was padded (RFC 8446 §5.4).
    private static let recordShare = 32

    /// Whether a client has sent too much for the requests that came of it: a handshake without end, or a flood of KeyUpdates
    /// or alerts, makes work and asks for nothing.
    private func isBarren(_ connection: Connection, adding count: Int) -> Bool {
        connection.barrenBytes += count
        return connection.barrenBytes > (connection.isHandshaking ? Self.handshakeLimit : Self.barrenLimit)
    }

    /// The first byte of TLS is 22, that of SSL 2 has its high bit set; a request line begins with a letter or another
    /// character of a token, or after a line end.
    private func looksLikeHTTP(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) || byte == 0x0D || byte == 0x0A
    }

    /// Answers plain HTTP on a TLS port once, readably.
    private func rejectPlain(_ connection: Connection, _ count: Int) {
        releaseHandshakePlace(connection)
        connection.session = nil
        connection.began = moment
        wait(connection, for: .head, progress: 0)
        let bytes = Array(received[..<count])
        reject(.plainOnTLS, of: bytes.span, connection)
    }

    /// Goes on with the handshake, then reads all plaintext there is; the number of its bytes.
    private func decrypt(_ connection: Connection) -> Int {
        if connection.isHandshaking {
            guard let step = connection.session?.handshake() else { return 0 }
            switch step {
            case .done: finishHandshake(connection)
            case .wantsInput: return 0
            case .ended, .failed:
                connection.ending = .handshakeFailed
                return 0
            }
        }
        var filled = 0
        while filled < plaintext.count {
            let step = plaintext.withUnsafeMutableBytes { buffer in
                connection.session?.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            }
            guard case .done(let count) = step, count > 0 else {
                if case .ended = step { connection.peerEndedTLS = true }
                if case .failed = step { connection.ending = .tlsFailed }
                break
            }
            filled += count
            // A read that ends in "more input" costs as much as one that gives something.
            if exchange.isInputTaken, connection.session?.hasPending == false { break }
        }
        return filled
    }

    func releaseHandshakePlace(_ connection: Connection) {
        limits.endHandshake()
        connection.isHandshaking = false
    }

    private func finishHandshake(_ connection: Connection) {
        releaseHandshakePlace(connection)
        connection.barrenBytes = 0
        connection.facts.namedCertificate = connection.session?.namedCertificate
        connection.facts.tlsVersion = connection.session?.version
        if let version = connection.facts.tlsVersion {
            counters.countHandshake(version, isResumed: connection.session?.isResumed == true)
        }
        wait(connection, for: .idle, progress: 0)
    }
}
