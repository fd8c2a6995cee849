internal import HTTP
internal import System
internal import TLS

// What is counted and told of each answer: plain integers of this thread, and a copy of a few texts if there is a journal.
extension Worker {
    /// Notes the answer that was just written; `start` is what was in the writer before it.
    ///
    /// - Parameter method: nil for what was no request.
    func record(_ connection: Connection, from start: Int, _ method: Method?, _ bytes: Span<UInt8>) {
        var record = RequestRecord()
        record.began = began
        record.bytes = writer.count - start
        record.contentBytes = writer.contentCount
        record.label = UInt32(truncatingIfNeeded: writer.label)
        record.status = writer.status.rawValue
        record.listener = UInt8(truncatingIfNeeded: connection.facts.listener)
        if journal != nil { tell(connection, method, bytes, in: &record) }
        batch.add(record)
        // What comes next in the same event came with it.
        began = moment
    }

    private func tell(
        _ connection: Connection,
        _ method: Method?,
        _ bytes: Span<UInt8>,
        in record: inout RequestRecord
    ) {
        record.method = method
        record.tlsVersion = connection.facts.tlsVersion
        add(.id, writer.id.bytes, to: &record)
        guard method != nil else { return add(.peer, connection.facts.peer.bytes, to: &record) }
        add(.peer, connection.facts.source(of: head, bytes).client.bytes, to: &record)
        record.minorVersion = head.version == .http10 ? 0 : 1
        batch.add(.host, bytes, head.host, to: &record)
        batch.add(.path, bytes, toldTarget, to: &record)
        if let agent = head.value(of: .userAgent) { batch.add(.userAgent, bytes, agent, to: &record) }
        if let referer = head.value(of: .referer) { batch.add(.referer, bytes, referer, to: &record) }
    }

    private var toldTarget: ByteRange {
        switch head.form {
        case .asterisk, .authority: head.target
        case .origin, .absolute: journal?.tellsQuery == true ? head.pathAndQuery : head.path
        }
    }

    private func add(_ text: RequestRecord.Texts, _ bytes: [UInt8], to record: inout RequestRecord) {
        batch.add(text, bytes.span, ByteRange(0, bytes.count), to: &record)
    }

    /// Counts the answers that have just been handed over; the clock is read once for all of them.
    func countRecords() {
        guard !batch.records.isEmpty else { return }
        moment = Clock.monotonicNanoseconds
        var offset = 0
        for index in batch.records.indices {
            let record = batch.records[index]
            let duration = max(0, moment - record.began)
            counters.requests.count(
                label: Int(record.label),
                status: Int(record.status),
                bytes: record.bytes
            )
            counters.durations[Int(record.listener)].count(duration)
            if journal != nil { post(record, duration, &offset) }
        }
        batch.clear()
        journal?.wake()
    }

    private func post(_ record: RequestRecord, _ duration: Int, _ offset: inout Int) {
        var record = record
        record.time = wallTime
        record.duration = duration
        let end = offset + record.textLength
        batch.texts.withUnsafeBytes { texts in
            journal?.rings[index].add(record, UnsafeRawBufferPointer(rebasing: texts[offset..<end]))
        }
        offset = end
    }
}
