/// Gathers the bytes of all answers that one event calls for.
public struct ResponseWriter {
    /// What becomes of the connection after the answer (RFC 9112 §9.3, §9.6).
    public enum Persistence: Sendable {
        /// It stays open, as HTTP/1.1 expects.
        case open
        /// It stays open, which HTTP/1.0 must be told.
        case keptAlive
        /// It closes.
        case close

        fileprivate var field: StaticString {
            switch self {
            case .open: ""
            case .keptAlive: "Connection: keep-alive\r\n"
            case .close: "Connection: close\r\n"
            }
        }
    }

    /// The bytes so far, without the contents that are kept apart.
    public private(set) var bytes: [UInt8] = []
    /// Whether long contents are left in their store, to be sent from there, instead of copied.
    public var keepsContentsApart = false
    /// The contents kept apart, each with the number of ``bytes`` before it.
    private var apart: [(offset: Int, content: UnsafeBufferPointer<UInt8>)] = []
    private var apartCount = 0
    /// The number of all bytes so far.
    public var count: Int { bytes.count + apartCount }

    /// Below this many bytes a copy is cheaper than another place for the kernel to read from.
    private static let apartThreshold = 2_048
    /// Now, as ``HTTPDate/format(_:)`` has it.
    public var date: [UInt8]
    /// The id of the request that the next answer is for.
    public var id = RequestID()
    /// What the next answer is counted under; 0, as nothing in particular.
    public var label = 0
    /// The status of the last answer.
    public private(set) var status = Status.ok
    /// The number of bytes of the last answer's content.
    public private(set) var contentCount = 0
    /// What becomes of the connection after the next answer.
    public var persistence = Persistence.open
    /// Whether the next answer is to HEAD.
    public var omitsContent = false

    /// An empty writer.
    public init(date: [UInt8]) {
        self.date = date
    }

    /// Drops all bytes and keeps the memory.
    public mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        guard apartCount > 0 else { return }
        apart.removeAll(keepingCapacity: true)
        apartCount = 0
    }

    /// Whether any content is kept apart.
    public var hasContentsApart: Bool { !apart.isEmpty }

    /// Appends all bytes in their order, as the pieces of memory that hold them; valid until the writer or a store changes.
    public func withPieces<Result>(
        _ pieces: inout [UnsafeRawBufferPointer],
        _ body: (borrowing [UnsafeRawBufferPointer]) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { own in
            var offset = 0
            for part in apart {
                pieces.append(UnsafeRawBufferPointer(rebasing: own[offset..<part.offset]))
                pieces.append(UnsafeRawBufferPointer(part.content))
                offset = part.offset
            }
            if offset < own.count { pieces.append(UnsafeRawBufferPointer(rebasing: own[offset...])) }
            defer { pieces.removeAll(keepingCapacity: true) }
            return body(pieces)
        }
    }

    /// Writes a prepared answer.
    public mutating func write(_ response: PreparedResponse, from store: ResponseStore) {
        let head = store.bytes(response.head)
        if id.isMade, case .open = persistence {
            bytes.append(contentsOf: head)
            let fields = bytes.count - head.count + response.statusLineLength
            fill(at: fields + Slots.date, with: date)
            fill(at: fields + Slots.id, with: id.bytes)
        } else {
            writeParts(of: response, store)
        }
        status = response.status
        contentCount = omitsContent ? 0 : response.content.count
        if !omitsContent { append(store.bytes(response.content)) }
    }

    /// Writes a prepared head in parts: with another field, or another id than there is room for.
    private mutating func writeParts(of response: PreparedResponse, _ store: ResponseStore) {
        let (head, fields) = (store.bytes(response.head), response.statusLineLength)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: head[..<fields]))
        append(persistence.field)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: head[fields..<(fields + Slots.afterDate)]))
        fill(at: bytes.count - Slots.afterDate + Slots.date, with: date)
        if !id.bytes.isEmpty {
            append(RequestID.fieldName)
            append(": ")
            bytes += id.bytes
            append("\r\n")
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: head[(fields + Slots.afterID)...]))
    }

    private mutating func append(_ content: UnsafeBufferPointer<UInt8>) {
        guard keepsContentsApart, content.count >= Self.apartThreshold else {
            bytes.append(contentsOf: content)
            return
        }
        apart.append((bytes.count, content))
        apartCount += content.count
    }

    /// Writes an answer that was made for this request alone.
    public mutating func write(_ status: Status, fields: [(name: String, value: String)], content: [UInt8]?) {
        bytes += ResponseHead(status).bytes
        append(persistence.field)
        bytes += ResponseHead(fields: fields, date: date, id: id.bytes, content: content).bytes
        self.status = status
        contentCount = omitsContent ? 0 : content?.count ?? 0
        if let content, !omitsContent { bytes += content }
    }

    /// Writes 100 (Continue).
    public mutating func writeContinue() {
        append("HTTP/1.1 100 Continue\r\n\r\n")
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func fill(at offset: Int, with value: [UInt8]) {
        bytes.withUnsafeMutableBytes { buffer in
            value.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]).copyMemory(from: $0) }
        }
    }
}

/// Where a prepared head is filled in, from the end of its status line on: Date and X-Request-ID are its first fields.
private enum Slots {
    static var date: Int { "Date: ".utf8.count }
    static var afterDate: Int { date + HTTPDate.length + "\r\n".utf8.count }
    static var id: Int { afterDate + RequestID.fieldName.utf8CodeUnitCount + ": ".utf8.count }
    static var afterID: Int { id + RequestID.length + "\r\n".utf8.count }
}

extension ResponseHead {
    /// All of a head after its status line.
    fileprivate init(fields: [(name: String, value: String)], date: [UInt8], id: [UInt8], content: [UInt8]?) {
        self.init(fieldsOnly: ())
        append("Date", String(decoding: date, as: UTF8.self))
        if !id.isEmpty { append("\(RequestID.fieldName)", String(decoding: id, as: UTF8.self)) }
        for field in fields { append(field.name, field.value) }
        if let content { append("Content-Length", String(content.count)) }
        end()
    }
}
