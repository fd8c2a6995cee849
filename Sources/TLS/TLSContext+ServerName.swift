internal import COpenSSL
internal import Crypto

// The choice of a certificate is made once, from the first ClientHello, and a second one that was asked for changes nothing
// of it: before a ticket is looked at, since a ticket is good for the certificate alone that its client has seen.

extension TLSContext {
    /// Reads the server name and notes which certificate it leads to, or refuses it.
    static let readServerName:
        @convention(c) (OpaquePointer?, UnsafeMutablePointer<CInt>?, UnsafeMutableRawPointer?) -> CInt = {
            ssl,
            alert,
            _ in
            guard let ssl, let context = of(ssl) else { return SSL_CLIENT_HELLO_ERROR }
            guard choice(of: ssl) == nil else { return SSL_CLIENT_HELLO_SUCCESS }
            let abilities = ClientAbilities(of: ssl)
            let name = serverName(of: ssl)
            let index = name.flatMap { context.certificates.index(for: $0, where: abilities.canVerify) }
            if name != nil, index == nil, context.certificates.refusesUnknownNames {
                alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
                return SSL_CLIENT_HELLO_ERROR
            }
            let shown = index ?? context.certificates.defaultIndex(where: abilities.canVerify)
            SSL_set_ex_data(ssl, 0, Choice(index: shown, isNamed: name != nil).slot)
            return SSL_CLIENT_HELLO_SUCCESS
        }

    /// Which certificate a session shows, in the form of the session's slot for it.
    struct Choice {
        let index: Int
        /// Whether the client named a server.
        let isNamed: Bool

        var slot: UnsafeMutableRawPointer? {
            // Beginning at 2, since OpenSSL's empty slot is 0.
            UnsafeMutableRawPointer(bitPattern: (index + 1) << 1 | (isNamed ? 1 : 0))
        }
    }

    /// What was chosen for a session; nil before its ClientHello was read.
    static func choice(of ssl: OpaquePointer) -> Choice? {
        SSL_get_ex_data(ssl, 0).map {
            let value = Int(bitPattern: $0)
            return Choice(index: value >> 1 - 1, isNamed: value & 1 == 1)
        }
    }

    /// What the client of a session is shown.
    func identity(of ssl: OpaquePointer) -> Identity {
        certificates.identities[Self.choice(of: ssl)?.index ?? 0]
    }

    /// The name of the extension `server_name`, which is a list of one entry (RFC 6066 §3).
    ///
    /// OpenSSL reads it again and refuses what is malformed.
    static func serverName(of ssl: OpaquePointer) -> UnsafeBufferPointer<UInt8>? {
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard SSL_client_hello_get0_ext(ssl, CUnsignedInt(TLSEXT_TYPE_server_name), &start, &count) == 1, count > 5
        else { return nil }
        let extensionData = UnsafeBufferPointer(start: start, count: count)
        let length = Int(extensionData[3]) << 8 | Int(extensionData[4])
        guard extensionData[2] == TLSEXT_NAMETYPE_host_name, length == count - 5 else { return nil }
        return UnsafeBufferPointer(rebasing: extensionData[5...])
    }
}
