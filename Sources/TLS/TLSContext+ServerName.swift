internal import COpenSSL
internal import Crypto

// The choice of a certificate is made once, from the first ClientHello: before a ticket is looked at, since a ticket is
// good for the certificate alone that its client has seen.

extension TLSContext {
    /// Reads the server name and notes which certificate it leads to, or refuses it.
    static let readServerName:
        @convention(c) (OpaquePointer?, UnsafeMutablePointer<CInt>?, UnsafeMutableRawPointer?) -> CInt = {
            ssl,
            alert,
            _ in
            guard let ssl, let context = of(ssl) else { return SSL_CLIENT_HELLO_ERROR }
            guard let name = serverName(of: ssl) else { return SSL_CLIENT_HELLO_SUCCESS }
            let index = context.certificates.index(for: name)
            if index == nil, context.certificates.refusesUnknownNames {
                alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
                return SSL_CLIENT_HELLO_ERROR
            }
            // One more, since OpenSSL's empty slot is 0.
            SSL_set_ex_data(ssl, 0, UnsafeMutableRawPointer(bitPattern: (index ?? 0) + 1))
            return SSL_CLIENT_HELLO_SUCCESS
        }

    /// Which certificate stands for the server name; nil when the client named none.
    static func choice(of ssl: OpaquePointer) -> Int? {
        SSL_get_ex_data(ssl, 0).map { Int(bitPattern: $0) - 1 }
    }

    /// What the client of a session is shown.
    func identity(of ssl: OpaquePointer) -> Identity {
        certificates.identities[Self.choice(of: ssl) ?? 0]
    }

    /// The name of the extension `server_name`, which is a list of one entry (RFC 6066 §3).
    ///
    /// OpenSSL reads it again and refuses what is malformed.
    private static func serverName(of ssl: OpaquePointer) -> UnsafeBufferPointer<UInt8>? {
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
