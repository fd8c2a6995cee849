internal import HTTP
internal import Server

extension Site {
    func wantsContent(
        of head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        on connection: borrowing ConnectionFacts
    ) -> Bool {
        let role = role(of: head, bytes, connection)
        guard head.method == .post, role == .secure || role == .plain, ContentEncoding.isIdentity(head, bytes) else {
            return false
        }
        var label = 0
        guard case .endpoint(.handler) = target(of: head, bytes, role, connection, &label) else { return false }
        return true
    }

    /// What is served to a request: how a proxy's client asked is what counts, not how the proxy does.
    @inline(__always)
    func role(
        of head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        _ connection: borrowing ConnectionFacts
    ) -> Role {
        let role = roles[connection.listener]
        guard role == .plain, connection.isFromTrustedProxy else { return role }
        return Role(ofRequest: connection.isSecure(head, bytes))
    }
}
