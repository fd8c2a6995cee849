internal import HTTP
internal import System
internal import TLS

extension Worker {
    /// Serves what a socket is ready for: first what still must go out, then what came in.
    func handle(_ event: Poller.Event, _ connection: Connection) {
        if connection.hasOutput {
            guard event.isWritable || event.isReadable, drainOutput(connection) else { return }
            if connection.ending == nil, !connection.input.isEmpty { serve(connection, adding: 0) }
            return settle(connection)
        }
        if event.isReadable { receive(connection) }
    }

    private func receive(_ connection: Connection) {
        let result = received.withUnsafeMutableBytes { connection.descriptor.receive(into: $0) }
        switch result {
        case .wouldBlock: return
        case .failed(let code): close(connection, CloseReason(socketError: code))
        case .bytes(0): peerEnded(connection)
        case .bytes(let count):
            counters.count(.bytesReceived, count)
            guard connection.ending == nil else { return }
            if connection.awaitsProxyHeader { receiveProxyHeader(connection, count) } else { take(connection, count) }
        }
    }

    /// Serves what `received` begins with.
    @inline(__always)
    func take(_ connection: Connection, _ count: Int) {
        if connection.session == nil {
            serve(connection, adding: count)
            settle(connection, received: count)
        } else {
            receiveTLS(connection, count)
        }
    }

    private func peerEnded(_ connection: Connection) {
        if let reason = connection.ending { return close(connection, reason) }
        let isBetweenRequests = connection.state.deadline == .idle
        close(connection, isBetweenRequests ? .peerClosed : .peerAborted)
    }

    /// Decodes and answers all whole requests, and keeps the bytes of the one that is not.
    ///
    /// - Parameter count: how many bytes of `received`, or of `plaintext` with TLS, are new.
    func serve(_ connection: Connection, adding count: Int) {
        var bytes = connection.input
        connection.input = []
        began = bytes.isEmpty ? moment : connection.began
        let usesTLS = connection.session != nil
        // One TLS write makes fewer records of one piece of memory than of several.
        writer.keepsContentsApart = !usesTLS
        if bytes.isEmpty {
            let consumed =
                usesTLS
                ? answer(connection, plaintext.span.extracting(first: count))
                : answer(connection, received.span.extracting(first: count))
            guard consumed < count, connection.ending == nil else { return }
            connection.input = Array(usesTLS ? plaintext[consumed..<count] : received[consumed..<count])
            connection.began = began
        } else {
            bytes += usesTLS ? plaintext[..<count] : received[..<count]
            let consumed = answer(connection, bytes.span)
            guard consumed < bytes.count, connection.ending == nil else { return }
            bytes.removeFirst(consumed)
            connection.input = bytes
            connection.began = began
        }
    }

    /// Answers one request after another; the answers gather in the writer and leave when it is full or nothing is left.
    private func answer(_ connection: Connection, _ bytes: Span<UInt8>) -> Int {
        var consumed = 0
        decoding: while connection.ending == nil, !connection.hasOutput, consumed < bytes.count {
            let rest = bytes.extracting(consumed..<bytes.count)
            let step = connection.decoder.next(rest, into: &head)
            switch step {
            case .incomplete(let sendsContinue):
                if sendsContinue { invite(connection, rest) }
                break decoding
            case .request(let count, let content):
                respond(connection, rest, content)
                consumed += count
            case .rejected(let rejection):
                writeRejection(rejection, of: rest, connection, for: .rejected)
            }
            if isFull { flush(connection) }
        }
        flush(connection)
        return consumed
    }

    /// Whether the answers gathered so far should leave before there are more.
    ///
    /// While much is kept, what a peer does not read is one answer at most; but a few small ones cost nothing.
    private var isFull: Bool {
        guard writer.count >= Self.scarceOutputLimit else { return false }
        return writer.count >= Self.outputLimit || limits.isKeptScarce
    }

    /// Asks for the content that a client waits with, or answers without: what of it comes all the same is no request.
    private func invite(_ connection: Connection, _ bytes: Span<UInt8>) {
        if responder.wantsContent(of: head, bytes, on: connection.facts) { return writer.writeContinue() }
        respond(connection, bytes, .none, isLast: true)
    }

    @inline(__always)
    private func respond(_ connection: Connection, _ bytes: Span<UInt8>, _ content: Content, isLast: Bool = false) {
        let keepsAlive = head.keepsAlive && !isParting && !isLast
        writer.persistence = !keepsAlive ? .close : head.version == .http11 ? .open : .keptAlive
        writer.omitsContent = head.method == .head
        writer.id.take(head.requestID, bytes, keepsGiven: !isBehindProxies || connection.facts.isFromTrustedProxy)
        writer.label = 0
        let start = writer.count
        responder.respond(to: head, bytes, content: content, on: connection.facts, into: &writer)
        record(connection, from: start, head.method, bytes)
        connection.requests += 1
        if case .close = writer.persistence { connection.ending = .ended }
    }

    private func writeRejection(
        _ rejection: Rejection,
        of bytes: Span<UInt8>,
        _ connection: Connection,
        for reason: CloseReason
    ) {
        writer.persistence = .close
        writer.keepsContentsApart = connection.session == nil
        writer.omitsContent = Method.isHead(bytes)
        writer.id.takeNext()
        writer.label = 0
        let start = writer.count
        responder.reject(rejection, on: connection.facts, into: &writer)
        record(connection, from: start, nil, bytes)
        connection.ending = reason
    }

    /// Answers bytes that will be no request, outside of the decoder's order.
    func reject(
        _ rejection: Rejection,
        of bytes: Span<UInt8>,
        _ connection: Connection,
        for reason: CloseReason = .rejected
    ) {
        began = bytes.isEmpty ? moment : connection.began
        writeRejection(rejection, of: bytes, connection, for: reason)
        flush(connection)
        settle(connection)
    }
}

// MARK: - Sending

extension Worker {
    /// Sends what the writer gathered; what the socket does not take waits in the connection.
    func flush(_ connection: Connection) {
        guard writer.count > 0 else { return }
        defer {
            writer.clear()
            countRecords()
        }
        guard connection.session != nil else { return sendPlain(connection) }
        let step = writer.bytes.withUnsafeBytes { connection.session?.write($0) }
        if case .failed = step { connection.ending = .tlsFailed }
        sendExchange(connection)
    }

    private func sendPlain(_ connection: Connection) {
        guard writer.hasContentsApart else { return send(writer.bytes, connection) }
        writer.withPieces(&pieces) { pieces in
            let result = connection.hasOutput ? .wouldBlock : connection.descriptor.send(pieces)
            switch result {
            case .bytes(let count):
                counters.count(.bytesSent, count)
                keep(pieces, after: count, connection)
            case .wouldBlock: keep(pieces, after: 0, connection)
            case .failed(let code): connection.ending = CloseReason(socketError: code)
            }
        }
    }

    /// Keeps what the socket did not take, as a copy that does not depend on the writer or a store.
    private func keep(_ pieces: borrowing [UnsafeRawBufferPointer], after sent: Int, _ connection: Connection) {
        var skipped = sent
        for index in 0..<pieces.count {
            let piece = pieces[index]
            let rest = min(skipped, piece.count)
            skipped -= rest
            if rest < piece.count { connection.output.append(contentsOf: piece[rest...]) }
        }
    }

    /// Sends what TLS gathered.
    func sendExchange(_ connection: Connection) {
        guard !exchange.output.isEmpty else { return }
        send(exchange.output, connection)
        exchange.clearOutput()
    }

    private func send(_ bytes: [UInt8], _ connection: Connection) {
        guard !connection.hasOutput else {
            connection.output += bytes
            return
        }
        let result = bytes.withUnsafeBytes { connection.descriptor.send($0) }
        switch result {
        case .bytes(let count):
            counters.count(.bytesSent, count)
            if count < bytes.count { keep(bytes[count...], connection) }
        case .wouldBlock: keep(bytes[...], connection)
        case .failed(let code): connection.ending = CloseReason(socketError: code)
        }
    }

    private func keep(_ rest: ArraySlice<UInt8>, _ connection: Connection) {
        connection.output = Array(rest)
        connection.sent = 0
    }

    /// Sends more of the output; true when all of it has left.
    private func drainOutput(_ connection: Connection) -> Bool {
        let sent = connection.sent
        let result = connection.output.withUnsafeBytes { buffer in
            connection.descriptor.send(UnsafeRawBufferPointer(rebasing: buffer[sent...]))
        }
        switch result {
        case .bytes(let count):
            counters.count(.bytesSent, count)
            connection.sent += count
            if !connection.isHandshaking { wait(connection, for: .write, progress: count) }
            guard !connection.hasOutput else { return false }
            connection.output = []
            connection.sent = 0
            return true
        case .wouldBlock: return false
        case .failed(let code):
            close(connection, CloseReason(socketError: code))
            return false
        }
    }
}
