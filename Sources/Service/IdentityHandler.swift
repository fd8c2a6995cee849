internal import Bridges
internal import Crypto
internal import HTTP
internal import JSON
internal import Server
internal import System

/// Signs visitors' ids for a tenant's own backend.
///
/// Whoever has no valid token learns nothing: the answer is the same for every tenant and bridge, there or not.
struct IdentityHandler: Handler {
    /// Digests of the tokens that open this door; none for a tenant that does not exist.
    let tokens: [[UInt8]]
    /// How the bridge signs; nil for a bridge that signs none or does not exist.
    let identity: TenantIdentity?
    let bucket: Bucket
    let limits: IdentityLimits
    let rates: IdentityRates
    let counts: IdentityCounts

    func respond(
        to head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        content: Content,
        on connection: borrowing ConnectionFacts,
        isSecure: Bool,
        into writer: inout ResponseWriter
    ) -> ProblemDetail? {
        do throws(ProblemDetail) {
            // A phone or page that can send this has the token, which is not for them.
            if head.value(of: .origin) != nil { throw .notForBrowsers }
            try authenticate(Credentials(head, bytes), connection.source(of: head, bytes).client)
            guard let identity else { throw .notFound }
            let answer = try sign(head, bytes, content, identity)
            counts.count(.signed)
            writer.write(.ok, fields: AnswerFields.ofIdentity(isSecure: isSecure), content: answer)
            return nil
        } catch {
            counts.count(IdentityCounts.Outcome(error))
            return error
        }
    }

    private func authenticate(_ credentials: Credentials, _ peer: SocketAddress) throws(ProblemDetail) {
        guard credentials.isOne(of: tokens) else {
            guard limits.admitFailure(peer, rates) else { throw .tooManyFailures }
            throw credentials == .none ? .unauthenticated : .invalidToken
        }
        guard limits.admit(peer, bucket, rates) else { throw .tooManyRequests }
    }

    private func sign(
        _ head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        _ content: Content,
        _ identity: TenantIdentity
    ) throws(ProblemDetail) -> [UInt8] {
        guard !identity.keys.isEmpty else { throw .noSecret }
        guard ContentType.isJSON(head, bytes) else { throw .unsupportedType }
        let query = bytes.array(head.pathAndQuery).dropFirst(Int(head.path.length) + 1)
        let request = try IdentityRequest(content: content.bytes(in: bytes), query: query, rule: identity.rule)
        guard let key = identity.key(request.kid) else { throw .unknownKey }
        let code =
            switch identity.rule.algorithm {
            case .hmacSHA256Hexadecimal: key.secret.hmacSHA256(of: Array(request.id.utf8)).hexadecimal
            }
        return JSONValue.object([
            (name: identity.rule.idField, value: .string(request.id)),
            (name: identity.rule.hashField, value: .string(code)),
        ]).bytes
    }
}
