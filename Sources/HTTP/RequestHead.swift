/// A request's version; a higher minor version is taken as 1.1 (RFC 9110 §2.5).
public enum Version: Sendable {
    /// HTTP/1.0.
    case http10
    /// HTTP/1.1.
    case http11
}

/// The form of a request target (RFC 9112 §3.2); authority-form belongs to CONNECT, which nothing here allows.
public enum TargetForm: Sendable {
    /// `/path?query`.
    case origin
    /// `https://host/path?query`, whose authority counts instead of Host.
    case absolute
    /// `*`, for OPTIONS.
    case asterisk
    /// `host:port`, for CONNECT.
    case authority
}

/// How a request's content is delimited (RFC 9112 §6).
public enum Framing: Sendable, Equatable {
    /// There is none.
    case none
    /// So many bytes.
    case length(Int)
    /// Chunks.
    case chunked
}

/// A request's head as offsets in its bytes: nothing is copied, and the value is used again for the next request.
public struct RequestHead: Sendable {
    /// The method.
    public internal(set) var method = Method.get
    /// The version.
    public internal(set) var version = Version.http11
    /// The target as it was sent.
    public internal(set) var target = ByteRange.empty
    /// Its form.
    public internal(set) var form = TargetForm.origin
    /// Whether the target is an `https` URL as a whole: no connection without TLS may answer it (RFC 9110 §7.4).
    public internal(set) var isForSecureOrigin = false
    /// The path, not decoded; empty in absolute-form without one.
    public internal(set) var path = ByteRange.empty
    /// Whether the path has a `%` or a dot segment, so that it must be decoded before it is looked up.
    public internal(set) var pathNeedsDecoding = false
    /// The host: the target's if it is absolute, else that of Host; empty in HTTP/1.0 without one.
    public internal(set) var host = ByteRange.empty
    /// The value of the last X-Request-ID, as it was sent; empty without one.
    public internal(set) var requestID = ByteRange.empty
    /// The content's framing.
    public internal(set) var framing = Framing.none
    /// Whether the client asks for another request on this connection (RFC 9112 §9.3).
    public internal(set) var keepsAlive = true
    /// Whether the client waits for 100 (Continue) before it sends the content.
    public internal(set) var expectsContinue = false
    /// The first `fieldCount` are this request's; giving memory back between requests would cost more than it takes.
    private var fields: [Field] = []
    private var fieldCount = 0

    /// An empty head, to parse into.
    public init() {}

    mutating func reset() {
        method = .get
        version = .http11
        target = .empty
        form = .origin
        isForSecureOrigin = false
        path = .empty
        pathNeedsDecoding = false
        host = .empty
        requestID = .empty
        framing = .none
        keepsAlive = true
        expectsContinue = false
        fieldCount = 0
    }

    @inline(__always)
    mutating func append(_ field: Field) {
        if fieldCount < fields.count { fields[fieldCount] = field } else { fields.append(field) }
        fieldCount += 1
    }

    /// The value of the first field of that name; those of ``FieldName/other`` are not kept.
    @inline(__always)
    public func value(of name: FieldName) -> ByteRange? {
        for index in 0..<fieldCount where fields[index].name == name { return fields[index].value }
        return nil
    }

    /// Whether the value of any field of that name passes a test; a list may be spread over several.
    @inline(__always)
    public func anyValue(of name: FieldName, _ test: (ByteRange) -> Bool) -> Bool {
        for index in 0..<fieldCount where fields[index].name == name && test(fields[index].value) { return true }
        return false
    }

    /// Calls `body` with the value of each field of that name, in their order.
    func forEachValue(of name: FieldName, _ body: (ByteRange) -> Void) {
        for index in 0..<fieldCount where fields[index].name == name { body(fields[index].value) }
    }

    /// Whether OPTIONS is for the service as a whole: `*`, or what a proxy is sent for it (RFC 9112 §3.2.4).
    public var isForService: Bool {
        form == .asterisk || form == .absolute && method == .options && pathAndQuery.isEmpty
    }

    /// The target without its scheme and authority.
    public var pathAndQuery: ByteRange { ByteRange(Int(path.start), target.end) }
}
