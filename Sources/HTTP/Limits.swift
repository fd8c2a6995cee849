/// How much of a request is read; all in bytes, but for the fields.
public struct RequestLimits: Sendable, Equatable {
    /// The request line and the fields together.
    public var head: Int
    /// The target alone.
    public var target: Int
    /// The number of field lines.
    public var fields: Int
    /// The content.
    public var content: Int

    /// Limits; the defaults hold every request that a browser or a phone makes of us, many times over, and a request line
    /// of the 8,000 bytes that RFC 9112 §3 recommends to read.
    public init(head: Int = 16 << 10, target: Int = 8 << 10, fields: Int = 100, content: Int = 64 << 10) {
        self.head = head
        self.target = target
        self.fields = fields
        self.content = content
    }
}

/// How long the peer may take; all in milliseconds.
public struct Timeouts: Sendable, Equatable {
    /// The whole TLS handshake.
    public var handshake: Int
    /// A request's head, from its first byte.
    public var head: Int
    /// Every ``ConnectionState/progressUnit`` bytes of content.
    public var body: Int
    /// Every ``ConnectionState/progressUnit`` bytes of a response.
    public var write: Int
    /// Between requests; iOS reuses a connection for 30 s.
    public var idle: Int
    /// For the peer to read an error and go, once we have ended.
    public var linger: Int

    /// Time-outs.
    public init(
        handshake: Int = 10_000,
        head: Int = 15_000,
        body: Int = 15_000,
        write: Int = 30_000,
        idle: Int = 75_000,
        linger: Int = 2_000
    ) {
        self.handshake = handshake
        self.head = head
        self.body = body
        self.write = write
        self.idle = idle
        self.linger = linger
    }

    func duration(of deadline: Deadline) -> Int {
        switch deadline {
        case .handshake: handshake
        case .head: head
        case .body: body
        case .write: write
        case .idle: idle
        case .linger: linger
        }
    }
}

/// What a connection waits for with a time limit.
public enum Deadline: UInt8, CaseIterable, Sendable {
    /// The end of the TLS handshake.
    case handshake
    /// The end of a request's head.
    case head
    /// More of a request's content.
    case body
    /// The peer to read a response.
    case write
    /// The next request.
    case idle
    /// The peer to close.
    case linger
}
