/// A response whose bytes lie ready in a ``ResponseStore``: all but the date, the request's id and the
/// connection's fate are fixed.
///
/// The value is trivial: looking one up and sending it counts no reference.
public struct PreparedResponse: Sendable {
    let head: PreparedBytes
    let content: PreparedBytes
    let tag: PreparedBytes
    let statusLineLength: Int
    /// The status.
    public let status: Status
}

/// Some of a ``ResponseStore``'s bytes; several responses may share a content.
public struct PreparedBytes: @unchecked Sendable {
    // What it points to is written before anything else can see it, and never after.
    let bytes: UnsafeBufferPointer<UInt8>
    var count: Int { bytes.count }

    static let none = PreparedBytes(bytes: UnsafeBufferPointer(start: nil, count: 0))
}

/// Memory that prepared bytes are copied to; they stay where they are as long as it lives.
private final class ResponseMemory: @unchecked Sendable {
    // Used by the thread that builds alone, and only to be freed once it is shared.
    private var pieces: [UnsafeMutableBufferPointer<UInt8>] = []

    deinit { for piece in pieces { piece.deallocate() } }

    func keep(_ bytes: [UInt8]) -> PreparedBytes {
        let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = piece.initialize(from: bytes)
        pieces.append(piece)
        return PreparedBytes(bytes: UnsafeBufferPointer(piece))
    }
}

/// The bytes of all prepared responses of one catalog, which live as long as the store; a later one may include it.
public final class ResponseStore: Sendable {
    private let memory: ResponseMemory
    private let included: [ResponseStore]

    fileprivate init(_ memory: ResponseMemory, including included: [ResponseStore]) {
        self.memory = memory
        self.included = included
    }

    @inline(__always)
    func bytes(_ bytes: PreparedBytes) -> UnsafeBufferPointer<UInt8> { bytes.bytes }

    /// The response's entity tag with its quotes, empty if it has none; valid as long as the store.
    public func entityTag(of response: PreparedResponse) -> UnsafeBufferPointer<UInt8> {
        bytes(response.tag)
    }

    /// The response as it would be sent at a time, for a person to read.
    public func text(of response: PreparedResponse, date: [UInt8]) -> [UInt8] {
        var writer = ResponseWriter(date: date)
        writer.write(response, from: self)
        return writer.bytes
    }
}

/// Makes a ``ResponseStore``.
public struct ResponseStoreBuilder {
    private let memory = ResponseMemory()
    private var included: [ResponseStore] = []

    /// A builder without responses.
    public init() {}

    /// Adds a content for responses to share.
    public mutating func add(content: [UInt8]) -> PreparedBytes { memory.keep(content) }

    /// Adds all that another store has: its responses are this one's too.
    public mutating func include(_ store: ResponseStore) { included.append(store) }

    /// Adds a response; Date, Content-Length and the connection's fields are added here and when it is sent.
    ///
    /// - Parameters:
    ///   - fields: name and value of each field, in order; bytes that no value may have are left out.
    ///   - tag: the entity tag with its quotes; it is sent as ETag.
    ///   - content: nil for a status that has none (204, 304).
    public mutating func add(
        _ status: Status,
        fields: [(name: String, value: String)],
        tag: String? = nil,
        content: PreparedBytes?
    ) -> PreparedResponse {
        var head = ResponseHead(status)
        let statusLineLength = head.bytes.count
        head.append("Date", String(repeating: " ", count: HTTPDate.length))
        head.append("\(RequestID.fieldName)", String(repeating: " ", count: RequestID.length))
        var tagRange = 0..<0
        if let tag {
            let start = head.bytes.count + "ETag: ".utf8.count
            head.append("ETag", tag)
            tagRange = start..<(head.bytes.count - "\r\n".utf8.count)
        }
        for field in fields { head.append(field.name, field.value) }
        if let content { head.append("Content-Length", String(content.count)) }
        head.end()
        let kept = memory.keep(head.bytes)
        return PreparedResponse(
            head: kept,
            content: content ?? .none,
            tag: PreparedBytes(bytes: UnsafeBufferPointer(rebasing: kept.bytes[tagRange])),
            statusLineLength: statusLineLength,
            status: status
        )
    }

    /// The store of all that was added.
    public consuming func finish() -> ResponseStore { ResponseStore(memory, including: included) }
}

/// A response head in the making.
struct ResponseHead {
    private(set) var bytes: [UInt8]

    init(_ status: Status) {
        bytes = Array("HTTP/1.1 \(status.rawValue) \(status.reason)\r\n".utf8)
    }

    /// Without a status line, for the fields that follow one.
    init(fieldsOnly: Void) {
        bytes = []
    }

    /// Adds a field, unless nothing of its name may stand in one; nothing in a value can end the line.
    mutating func append(_ name: String, _ value: String) {
        let start = bytes.count
        append(name, of: .token)
        guard bytes.count > start else { return }
        bytes += [UInt8(ascii: ":"), 0x20]
        append(value, of: .value)
        bytes += [0x0D, 0x0A]
    }

    /// Adds a text's bytes that are in a set.
    private mutating func append(_ text: String, of set: ByteSet) {
        let start = bytes.count
        bytes += text.utf8
        // Nearly always all of them are, and to ask costs less than to build another array.
        if !bytes[start...].allSatisfy(set.contains) { bytes[start...].removeAll { !set.contains($0) } }
    }

    mutating func end() { bytes += [0x0D, 0x0A] }
}
