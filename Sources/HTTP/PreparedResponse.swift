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
public struct PreparedBytes: Sendable {
    let offset: Int
    let count: Int

    static let none = PreparedBytes(offset: 0, count: 0)
}

/// The bytes of all prepared responses of one catalog, in one piece of memory that lives as long as the store.
public final class ResponseStore: @unchecked Sendable {
    // Written before the store is shared and never after: that is what makes it sendable.
    private let memory: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) {
        memory = .allocate(capacity: bytes.count)
        _ = memory.initialize(from: bytes)
    }

    deinit { memory.deallocate() }

    @inline(__always)
    func bytes(_ bytes: PreparedBytes) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: memory[bytes.offset..<(bytes.offset + bytes.count)])
    }

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
    private var bytes: [UInt8] = []

    /// A builder without responses.
    public init() {}

    /// Adds a content for responses to share.
    public mutating func add(content: [UInt8]) -> PreparedBytes {
        let offset = bytes.count
        bytes += content
        return PreparedBytes(offset: offset, count: content.count)
    }

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
        let offset = bytes.count
        var head = ResponseHead(status)
        let statusLineLength = head.bytes.count
        head.append("Date", String(repeating: " ", count: HTTPDate.length))
        head.append("\(RequestID.fieldName)", String(repeating: " ", count: RequestID.length))
        var tagBytes = PreparedBytes.none
        if let tag {
            let start = head.bytes.count + "ETag: ".utf8.count
            head.append("ETag", tag)
            tagBytes = PreparedBytes(offset: offset + start, count: head.bytes.count - "\r\n".utf8.count - start)
        }
        for field in fields { head.append(field.name, field.value) }
        if let content { head.append("Content-Length", String(content.count)) }
        head.end()
        bytes += head.bytes
        return PreparedResponse(
            head: PreparedBytes(offset: offset, count: head.bytes.count),
            content: content ?? .none,
            tag: tagBytes,
            statusLineLength: statusLineLength,
            status: status
        )
    }

    /// The store of all that was added.
    public consuming func finish() -> ResponseStore { ResponseStore(bytes) }
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
