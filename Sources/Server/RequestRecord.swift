public import HTTP
public import TLS

/// What is known of one answer that was handed over; without references, so that it travels as bytes.
public struct RequestRecord: BitwiseCopyable, Sendable {
    /// When it was answered, in milliseconds since 1970 in UTC.
    public var time = 0
    /// When the first byte of the request was read, in nanoseconds of the monotonic clock.
    public var began = 0
    /// How long it took from then until the answer was handed to the kernel, in nanoseconds.
    public var duration = 0
    /// Bytes of the answer, head and content, before TLS.
    public var bytes = 0
    /// Bytes of its content.
    public var contentBytes = 0
    /// What it is counted under; see ``HTTP/ResponseWriter/label``.
    public var label: UInt32 = 0
    /// Lengths of the texts that stand after it, in the order of ``Texts``.
    public var lengths: InlineArray<6, UInt16> = [0, 0, 0, 0, 0, 0]
    /// The status code.
    public var status: UInt16 = 0
    /// Which listener accepted the connection.
    public var listener: UInt8 = 0
    /// The index of the method among all of HTTP's; nil for what was no request.
    var methodIndex = UInt8.max
    /// The minor version of HTTP/1.
    public var minorVersion: UInt8 = 1
    /// The version of TLS; 0 without.
    var tlsIndex: UInt8 = 0

    /// A record of nothing.
    public init() {}

    /// The texts that stand after a record, in this order.
    public enum Texts: Int, CaseIterable, Sendable {
        /// The request's id.
        case id
        /// The client's address, 4 bytes or 16.
        case peer
        /// The host as it was sent.
        case host
        /// The path as it was sent, perhaps with the query.
        case path
        /// User-Agent.
        case userAgent
        /// Referer.
        case referer

        /// No more bytes than these are kept.
        var limit: Int {
            switch self {
            case .id: 64
            case .peer: 16
            case .host: 256
            case .path: 1_024
            case .userAgent, .referer: 512
            }
        }
    }

    /// The method; nil for what was no request.
    public var method: Method? {
        get { Method(rawValue: methodIndex) }
        set { methodIndex = newValue?.rawValue ?? .max }
    }

    /// The version of TLS; nil without.
    public var tlsVersion: TLSVersion? {
        get { TLSVersion(rawValue: tlsIndex) }
        set { tlsIndex = newValue?.rawValue ?? 0 }
    }

    /// The number of bytes of all texts.
    var textLength: Int {
        var sum = 0
        for index in lengths.indices { sum += Int(lengths[index]) }
        return sum
    }
}

/// The answers of one worker that are not handed over yet, with what is told of them.
struct RecordBatch {
    private(set) var records: [RequestRecord] = []
    private(set) var texts: [UInt8] = []

    mutating func add(_ record: RequestRecord) {
        records.append(record)
    }

    /// Adds a text of the record that is added next.
    mutating func add(
        _ text: RequestRecord.Texts,
        _ bytes: Span<UInt8>,
        _ range: ByteRange,
        to record: inout RequestRecord
    ) {
        let count = min(Int(range.length), text.limit)
        bytes.extracting(Int(range.start)..<(Int(range.start) + count)).withUnsafeBufferPointer {
            texts.append(contentsOf: $0)
        }
        record.lengths[text.rawValue] = UInt16(truncatingIfNeeded: count)
    }

    mutating func clear() {
        records.removeAll(keepingCapacity: true)
        if !texts.isEmpty { texts.removeAll(keepingCapacity: true) }
    }
}
