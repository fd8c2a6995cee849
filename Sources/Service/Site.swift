internal import Bridges
internal import Crypto
internal import HTTP
internal import Server
internal import TLS

/// What is served at a listener.
enum Role: Sendable {
    /// Pages and REST over TLS.
    case secure
    /// Pages and REST in the clear.
    case plain
    /// Redirects to https.
    case redirect
    /// Health and status.
    case admin

    /// What a plain listener serves to a request that a trusted proxy passes on.
    init(ofRequest isSecure: Bool?) {
        self = isSecure.map { $0 ? .secure : .redirect } ?? .plain
    }
}

/// All that one catalog answers, ready: an immutable responder that a reload replaces as a whole.
///
/// A request costs two look-ups, host and path, and a copy; nothing is rendered, compressed or hashed for it.
final class Site: Responder {
    let store: ResponseStore
    let roles: [Role]
    private let routes: Routes
    private let secure: Face
    let plain: Face
    private let admin: AdminSite
    private let securePort: Int
    /// Answers authorities that ask whether a name is served here; nil where none is expected.
    let challenges: Challenges?

    init(
        store: ResponseStore,
        roles: [Role],
        routes: Routes,
        secure: Face,
        plain: Face,
        admin: AdminSite,
        securePort: Int,
        challenges: Challenges?
    ) {
        self.store = store
        self.roles = roles
        self.routes = routes
        self.secure = secure
        self.plain = plain
        self.admin = admin
        self.securePort = securePort
        self.challenges = challenges
    }

    func respond(
        to head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        content: Content,
        on connection: borrowing ConnectionFacts,
        into writer: inout ResponseWriter
    ) {
        let role = role(of: head, bytes, connection)
        if role == .admin { return admin.respond(to: head, bytes, plain, store, into: &writer) }
        if roles[connection.listener] == .redirect, answerChallenge(head, bytes, into: &writer) { return }
        // Chosen by an expression, a face would be copied, with its references.
        if role == .secure { return serve(secure, role, head, bytes, content, connection, into: &writer) }
        serve(plain, role, head, bytes, content, connection, into: &writer)
    }

    func reject(
        _ rejection: Rejection,
        on connection: borrowing ConnectionFacts,
        into writer: inout ResponseWriter
    ) {
        // An answer to plain HTTP on a TLS port is itself in the clear.
        let isSecure = roles[connection.listener] == .secure && rejection != .plainOnTLS
        write(ProblemDetail(rejection), isSecure ? secure : plain, into: &writer)
    }

    private func write(_ problem: ProblemDetail, _ face: Face, into writer: inout ResponseWriter) {
        writer.write(face.problems[problem.rawValue], from: store)
    }

    /// What a request is for, or why it is for nothing.
    enum Target {
        case endpoint(Endpoint)
        case service
        case problem(ProblemDetail)
    }

    @inline(__always)
    func target(
        of head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        _ role: Role,
        _ connection: borrowing ConnectionFacts,
        _ label: inout Int
    ) -> Target {
        if head.method == .connect { return .problem(.methodNotAllowed) }
        guard role == .secure || !head.isForSecureOrigin, let scope = scope(of: head, bytes, connection) else {
            return .problem(.misdirected)
        }
        label = routes.scopeLabels[scope]
        if head.isForService { return .service }
        if !head.pathNeedsDecoding { return endpoint(bytes, head.path, scope, &label) }
        guard let path = PathDecoder.decode(bytes, head.path) else { return .problem(.malformedPath) }
        return endpoint(path.span, ByteRange(0, path.count), scope, &label)
    }

    /// Which paths the request's host has; nil if it is not served over this connection.
    private func scope(
        of head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        _ connection: borrowing ConnectionFacts
    ) -> Int? {
        // HTTP/1.0 needs no Host: without one the service's own is meant (RFC 9112 §3.3).
        guard !head.host.isEmpty else {
            return connection.namedCertificate.map { $0.covers(host: routes.ownHost) } ?? true ? 0 : nil
        }
        guard let index = routes.hostTable.value(bytes, head.host) else { return nil }
        if let shown = connection.namedCertificate, !routes.hosts[index].isCovered(by: shown, bytes, head.host) {
            return nil
        }
        return routes.hosts[index].scope
    }

    @inline(__always)
    private func endpoint(_ bytes: Span<UInt8>, _ path: ByteRange, _ scope: Int, _ label: inout Int) -> Target {
        guard
            let index = routes.paths.value(bytes, path, scope: scope)
                ?? routes.doors.endpoint(bytes, path, scope: scope)
        else { return .problem(.notFound) }
        label = routes.labels[index]
        return .endpoint(routes.endpoints[index])
    }

    private func serve(
        _ face: Face,
        _ role: Role,
        _ head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        _ content: Content,
        _ connection: borrowing ConnectionFacts,
        into writer: inout ResponseWriter
    ) {
        switch target(of: head, bytes, role, connection, &writer.label) {
        case .problem(.notFound) where head.method == .trace: write(.methodNotAllowed, face, into: &writer)
        case .problem(let problem): write(problem, face, into: &writer)
        case .service: writer.write(face.options[Methods.any.rawValue], from: store)
        case .endpoint(let endpoint) where role == .redirect: redirect(endpoint, head, bytes, into: &writer)
        case .endpoint(let endpoint):
            let problem = answer(endpoint, face, role, head, bytes, content, connection, into: &writer)
            if let problem { write(problem, face, into: &writer) }
        }
    }

    private func answer(
        _ endpoint: Endpoint,
        _ face: Face,
        _ role: Role,
        _ head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        _ content: Content,
        _ connection: borrowing ConnectionFacts,
        into writer: inout ResponseWriter
    ) -> ProblemDetail? {
        switch (endpoint, head.method) {
        case (.page(let index), .get), (.page(let index), .head):
            return serve(index, face, head, bytes, into: &writer)
        case (.data(let index, let origins), .get), (.data(let index, let origins), .head):
            let variant = origin(of: head, bytes, in: origins).map { $0 + 1 } ?? 0
            return serve(index + 2 * variant, face, head, bytes, into: &writer)
        // RFC 9110 §15.5.12: a content that was forgotten and one that is empty are told apart.
        case (.handler, .post) where head.framing == .none && head.value(of: .contentLength) == nil:
            return .lengthRequired
        case (.handler, .post) where !ContentEncoding.isIdentity(head, bytes): return .unsupportedCoding
        case (.handler(let index), .post):
            return routes.handlers[index].respond(
                to: head,
                bytes,
                content: content,
                on: connection,
                isSecure: role == .secure,
                into: &writer
            )
        case (_, .options): writer.write(options(of: endpoint, face, head, bytes), from: store)
        default: writer.write(face.notAllowed[endpoint.methods.rawValue], from: store)
        }
        return nil
    }

    /// The answer to a browser that asks on behalf of a page, or to whoever else asks.
    private func options(
        of endpoint: Endpoint,
        _ face: Face,
        _ head: borrowing RequestHead,
        _ bytes: Span<UInt8>
    ) -> PreparedResponse {
        if case .data(_, let origins) = endpoint, head.value(of: .accessControlRequestMethod) != nil,
            let origin = origin(of: head, bytes, in: origins)
        {
            return face.preflights[origins][origin]
        }
        return face.options[endpoint.methods.rawValue]
    }

    /// Which origin of a list a request comes from, compared by bytes.
    private func origin(of head: borrowing RequestHead, _ bytes: Span<UInt8>, in list: Int) -> Int? {
        guard !routes.origins[list].isEmpty, let value = head.value(of: .origin) else { return nil }
        return routes.origins[list].firstIndex(of: bytes.array(value))
    }

    private func serve(
        _ index: Int,
        _ face: Face,
        _ head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        into writer: inout ResponseWriter
    ) -> ProblemDetail? {
        let coding = AcceptEncoding.prefersGzip(head, bytes) ? 1 : 0
        let representation = face.representations[index + coding]
        let tag = store.entityTag(of: representation.ok)
        if head.value(of: .ifMatch) != nil,
            !head.anyValue(of: .ifMatch, { EntityTag.matches(bytes, $0, tag: tag, .strong) })
        {
            return .preconditionFailed
        }
        let isCurrent = head.anyValue(of: .ifNoneMatch) { EntityTag.matches(bytes, $0, tag: tag, .weak) }
        writer.write(isCurrent ? representation.notModified : representation.ok, from: store)
        return nil
    }

    /// Pages go to https at the same host; data is refused, since a client that sent it in the clear must be mended.
    private func redirect(
        _ endpoint: Endpoint,
        _ head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        into writer: inout ResponseWriter
    ) {
        guard case .page = endpoint else { return write(.secureOnly, plain, into: &writer) }
        switch head.method {
        case .get, .head: break
        case .options: return writer.write(plain.options[endpoint.methods.rawValue], from: store)
        default: return writer.write(plain.notAllowed[endpoint.methods.rawValue], from: store)
        }
        let port = securePort == 443 ? "" : ":\(securePort)"
        let host = head.host.isEmpty ? routes.ownHost : String(decoding: bytes.array(head.host), as: UTF8.self)
        let pathAndQuery = String(decoding: bytes.array(head.pathAndQuery), as: UTF8.self)
        writer.write(
            .permanentRedirect,
            fields: [(name: "Location", value: "https://\(host)\(port)\(pathAndQuery)")]
                + SecurityFields.ofData(isSecure: false),
            content: []
        )
    }
}
