internal import COpenSSL
public import Crypto

/// A version of TLS that is spoken here.
public enum TLSVersion: UInt8, CaseIterable, Sendable {
    /// TLS 1.2 (RFC 5246).
    case tls12 = 3
    /// TLS 1.3 (RFC 8446).
    case tls13 = 4

    /// The version's number, as `1.3`.
    public var number: String { self == .tls12 ? "1.2" : "1.3" }
}

/// The server's side of one TLS connection; all its bytes pass through an ``Exchange``.
public struct TLSSession: ~Copyable {
    /// What a step came to.
    public enum Step: Sendable, Equatable {
        /// It is done; for reading, so many bytes were read.
        case done(Int)
        /// The peer must send more.
        case wantsInput
        /// The peer has said that it sends nothing more.
        case ended
        /// The session is unusable; an alert may stand in the exchange's output. The text is OpenSSL's.
        case failed(String)
    }

    private let ssl: OpaquePointer
    // The context's callbacks use it as long as a session may handshake.
    private let context: TLSContext
    // Its BIO's methods are the exchange's.
    private let exchange: Exchange

    /// A session that waits for a ClientHello.
    ///
    /// - Throws: ``TLSError/outOfMemory``.
    public init(context: TLSContext, exchange: Exchange) throws(TLSError) {
        guard let ssl = SSL_new(context.context) else { throw .outOfMemory }
        self.ssl = ssl
        self.context = context
        self.exchange = exchange
        // One reference is taken over for both directions, if they are one.
        BIO_up_ref(exchange.bio)
        SSL_set_bio(ssl, exchange.bio, exchange.bio)
        SSL_set_accept_state(ssl)
    }

    deinit { SSL_free(ssl) }

    /// Goes on with the handshake.
    public func handshake() -> Step {
        clearErrors()
        return step(SSL_do_handshake(ssl))
    }

    /// Reads what the peer sent; asked again until it wants input, it leaves nothing in the exchange.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> Step {
        clearErrors()
        return step(SSL_read(ssl, buffer.baseAddress, CInt(clamping: buffer.count)))
    }

    /// Writes all of it into the exchange's output.
    public func write(_ buffer: UnsafeRawBufferPointer) -> Step {
        var offset = 0
        while offset < buffer.count {
            clearErrors()
            let count = SSL_write(ssl, buffer.baseAddress.map { $0 + offset }, CInt(clamping: buffer.count - offset))
            guard count > 0 else { return step(count) }
            offset += Int(count)
        }
        return .done(offset)
    }

    /// Says that we send nothing more (close_notify, RFC 8446 §6.1).
    public func end() {
        clearErrors()
        SSL_shutdown(ssl)
        clearErrors()
    }

    /// Whether the session keeps bytes that it has taken from the exchange and not yet given as plaintext.
    public var hasPending: Bool { SSL_has_pending(ssl) == 1 }

    /// Whether it keeps a part of a record, which takes a buffer for a whole one.
    public var keepsPartOfRecord: Bool {
        // Of a record's header alone, OpenSSL says so nowhere else: "RB" is for reading a body.
        hasPending || SSL_rstate_string(ssl).map { $0[1] == CChar(UInt8(ascii: "B")) } ?? false
    }

    /// Whether a message of the handshake's kind has begun and not ended; OpenSSL gathers what has come of it.
    public var keepsPartOfMessage: Bool { SSL_in_init(ssl) == 1 }

    /// The bytes of a record's buffer.
    public static var recordBuffer: Int { 17 << 10 }

    /// What one session left in the thread's queue must not be blamed on another; looking is cheaper than clearing.
    private func clearErrors() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    private func step(_ result: CInt) -> Step {
        guard result <= 0 else { return .done(Int(result)) }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wantsInput
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: return .failed(TLSContext.drainErrors())
        }
    }

    /// The version that was agreed on; nil before.
    public var version: TLSVersion? {
        switch SSL_version(ssl) {
        case TLS1_2_VERSION: .tls12
        case TLS1_3_VERSION: .tls13
        default: nil
        }
    }

    /// Whether it goes on from an earlier one by a ticket.
    public var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// The certificate shown to a client that named a server, or seen by it before it resumed; nil if it named none.
    public var namedCertificate: Certificate? {
        guard let choice = TLSContext.choice(of: ssl), choice.isNamed else { return nil }
        return context.certificates.identities[choice.index].leaf
    }
}
