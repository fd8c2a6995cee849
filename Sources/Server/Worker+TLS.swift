internal import HTTP
internal import System
internal import TLS

extension Worker {
    /// Takes `count` received bytes through the session: handshake, then requests.
    func receiveTLS(_ connection: Connection, _ count: Int) {
        if !connection.sawFirstByte {
            connection.sawFirstByte = true
            if looksLikeHTTP(received[0]) { return rejectPlain(connection) }
        }
        let plain = received.withUnsafeBytes { buffer in
            exchange.withInput(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { decrypt(connection) }
        }
        if plain > 0 { serve(connection, adding: plain) }
        sendExchange(connection)
        if connection.peerEndedTLS, connection.ending == nil {
            connection.ending = connection.input.isEmpty ? .peerClosed : .peerAborted
        }
        settle(connection, received: plain)
    }

    /// A handshake record begins with 22; a request line begins with a capital letter.
    private func looksLikeHTTP(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    /// Answers plain HTTP on a TLS port once, readably.
    private func rejectPlain(_ connection: Connection) {
        releaseHandshakePlace(connection)
        connection.session = nil
        wait(connection, for: .head, progress: 0)
        reject(.plainOnTLS, connection)
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

    private func releaseHandshakePlace(_ connection: Connection) {
        limits.endHandshake()
        connection.holdsHandshakePlace = false
    }

    private func finishHandshake(_ connection: Connection) {
        releaseHandshakePlace(connection)
        connection.facts.namedCertificate = connection.session?.namedCertificate
        wait(connection, for: .idle, progress: 0)
    }
}
