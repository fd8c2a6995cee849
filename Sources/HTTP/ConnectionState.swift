/// What a connection waits for, and when that waiting ends.
///
/// Events go in, actions come out; the caller keeps the clock and the socket.
public struct ConnectionState: Sendable, Equatable {
    /// Bytes that count as progress of content or response: less than that does not earn more time, so a peer that
    /// sends or reads byte by byte runs out of it.
    public static let progressUnit = 4_096

    /// What an end of waiting leads to.
    public enum Expiry: Sendable, Equatable {
        /// The request is answered 408, then the connection ends for that reason.
        case reject(Rejection, CloseReason)
        /// The connection ends without a word.
        case close(CloseReason)
    }

    /// What is waited for.
    public private(set) var deadline: Deadline
    private var progress = 0

    /// A connection that was just accepted.
    public init(usesTLS: Bool) {
        deadline = usesTLS ? .handshake : .idle
    }

    /// Says what the connection waits for after an event.
    ///
    /// - Parameters:
    ///   - next: what it waits for now.
    ///   - amount: bytes of content that came or bytes of response that went; for ``Deadline/idle`` and ``Deadline/head``,
    ///     requests answered.
    /// - Returns: whether the time starts anew.
    public mutating func wait(for next: Deadline, progress amount: Int) -> Bool {
        guard next == deadline else {
            deadline = next
            progress = 0
            return true
        }
        switch next {
        case .handshake, .linger: return false
        case .idle, .head: return amount > 0
        case .body, .write:
            progress += amount
            guard progress >= Self.progressUnit else { return false }
            progress = 0
            return true
        }
    }

    /// Says what to do when the time is up.
    public var expiry: Expiry {
        switch deadline {
        case .handshake: .close(.handshakeTimeout)
        case .head: .reject(.timedOut, .headTimeout)
        case .body: .reject(.timedOut, .bodyTimeout)
        case .write: .close(.writeTimeout)
        case .idle: .close(.idleTimeout)
        case .linger: .close(.ended)
        }
    }
}

/// Why a connection ended; each end is counted under one of these.
public enum CloseReason: UInt8, CaseIterable, Sendable {
    /// The peer closed between requests.
    case peerClosed
    /// The peer closed or reset in the middle of a request or response.
    case peerAborted
    /// We closed as said in the answer.
    case ended
    /// The request was refused and the connection with it.
    case rejected
    /// The handshake, or the PROXY header before it, did not end in time.
    case handshakeTimeout
    /// The handshake failed.
    case handshakeFailed
    /// TLS failed after the handshake.
    case tlsFailed
    /// A request's head did not come in time; it was answered 408.
    case headTimeout
    /// A request's content did not come in time; it was answered 408.
    case bodyTimeout
    /// The peer did not read in time.
    case writeTimeout
    /// No further request came in time.
    case idleTimeout
    /// The service stops.
    case drained
    /// There were too many connections: it was turned away, or had been idle longest and made room for another.
    case tooManyConnections
    /// There were too many handshakes in flight: it was turned away, or was the oldest and made room for another.
    case tooManyHandshakes
    /// There were too many connections from one address.
    case tooManyFromAddress
    /// All connections together kept too much: it was the one that had got on least, or asked to keep more.
    case tooMuchKept
    /// It came without a trusted proxy to a listener that is for those alone.
    case untrustedPeer
    /// It did not begin with a PROXY header, which its listener requires.
    case malformedProxyHeader
    /// A system call failed on the connection.
    case failed
}
