public import Crypto
public import HTTP
public import System
public import TLS

/// What a responder may know of the connection that a request came by.
///
/// It is no copy that a request is shown, since there are many requests on one connection.
public struct ConnectionFacts: ~Copyable, Sendable {
    /// Which of the server's listeners accepted it.
    public let listener: Int
    /// The other end, as the PROXY protocol announced it where that is spoken.
    public let peer: SocketAddress
    /// Set if the peer is a trusted proxy: then ``source(of:_:)`` looks at what it says of a request.
    let proxies: TrustedProxies?
    /// The certificate shown to a client that named a server in its TLS handshake; nil if it named none, or without TLS.
    ///
    /// It stays what it was when a reload brings other certificates.
    public var namedCertificate: Certificate?
    /// The version of TLS; nil without TLS, or before its handshake has ended.
    public var tlsVersion: TLSVersion?

    /// A connection without TLS, or before its handshake.
    public init(listener: Int, peer: SocketAddress, proxies: TrustedProxies? = nil) {
        self.listener = listener
        self.peer = peer
        self.proxies = proxies?.contains(peer) == true ? proxies : nil
    }
}

/// Answers requests; immutable, shared by all workers, and replaced as a whole by a reload.
///
/// Its calls run on the workers' threads and must not block.
public protocol Responder: AnyObject, Sendable {
    /// Writes one answer to a whole request.
    ///
    /// It may set the writer's persistence to ``HTTP/ResponseWriter/Persistence/close`` before it writes.
    func respond(
        to head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        content: Content,
        on connection: borrowing ConnectionFacts,
        into writer: inout ResponseWriter
    )

    /// Whether the answer may depend on the content of a request whose head alone has come.
    ///
    /// If not, a client that waits to be asked for it gets the answer instead (RFC 9110 §10.1.1).
    func wantsContent(
        of head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        on connection: borrowing ConnectionFacts
    ) -> Bool

    /// Writes one answer to what is no request.
    func reject(
        _ rejection: Rejection,
        on connection: borrowing ConnectionFacts,
        into writer: inout ResponseWriter
    )
}

/// What a server answers with and shows as its certificates.
public struct ServerContent: Sendable {
    /// Answers the requests.
    public let responder: any Responder
    /// The certificates of the listeners that use TLS; nil goes on with those that there are.
    public let certificates: CertificateStore?
    /// How many labels the responder may give to answers, 0 among them; it never falls.
    public let labels: Int

    /// Content from its parts.
    public init(responder: any Responder, certificates: CertificateStore?, labels: Int = 1) {
        self.responder = responder
        self.certificates = certificates
        self.labels = labels
    }
}
