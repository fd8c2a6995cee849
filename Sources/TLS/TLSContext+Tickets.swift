internal import COpenSSL
internal import Crypto

// Sessions are resumed by tickets alone: nothing is kept here for a client that went.

extension TLSContext {
    func setTickets() throws(TLSError) {
        _ = bh_ctx_disable_session_cache(context)
        try require(SSL_CTX_set_num_tickets(context, 1) == 1 ? 1 : 0, "one session ticket")
        try require(Int(SSL_CTX_set_session_id_context(context, "bridgehost", 10)), "the session context")
        SSL_CTX_set_timeout(context, CLong(TicketKeys.lifetime))
        try require(Int(bh_ctx_set_ticket_key_callback(context, Self.chooseKey)), "the ticket keys")
        let result = SSL_CTX_set_session_ticket_cb(context, Self.bindTicket, Self.checkTicket, nil)
        try require(Int(result), "the tickets' certificates")
    }

    /// The key that seals a new ticket, or the one that opens an old one.
    ///
    /// - Returns: 1 for a key, 2 for one that asks for a new ticket, 0 for none, -1 for a failure.
    private static let chooseKey:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?, OpaquePointer?,
            CInt
        ) -> CInt = { ssl, name, vector, cipher, mac, seals in
            guard let ssl, let name, let vector, let keys = of(ssl)?.ticketKeys.keys else { return -1 }
            let label = UnsafeMutableRawBufferPointer(start: name, count: 16)
            if seals == 1 {
                guard let key = keys.first else { return 0 }
                label.copyMemory(from: key.name)
                guard RAND_bytes(vector, 16) == 1 else { return -1 }
                return key.seal(vector, cipher, mac) ? 1 : -1
            }
            guard let index = keys.firstIndex(where: { $0.name.elementsEqual(label) }) else { return 0 }
            guard keys[index].open(vector, cipher, mac) else { return -1 }
            // In TLS 1.3 every ticket is for one use (RFC 8446 §C.4).
            return index > 0 || SSL_version(ssl) >= TLS1_3_VERSION ? 2 : 1
        }

    /// Writes into a ticket which certificate its client has seen.
    private static let bindTicket: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = { ssl, _ in
        guard let ssl, let context = of(ssl) else { return 0 }
        let fingerprint = context.identity(of: ssl).leaf.fingerprint
        return SSL_SESSION_set1_ticket_appdata(SSL_get_session(ssl), fingerprint, fingerprint.count)
    }

    /// Resumes only where the certificate is the one that the client has seen: a ticket of one host is none of another's
    /// (RFC 6066 §3), and a renewed certificate is shown to everybody.
    private static let checkTicket:
        @convention(c) (
            OpaquePointer?, OpaquePointer?, UnsafePointer<UInt8>?, Int, SSL_TICKET_STATUS, UnsafeMutableRawPointer?
        ) -> SSL_TICKET_RETURN = { ssl, session, _, _, status, _ in
            guard status == SSL_TICKET_SUCCESS || status == SSL_TICKET_SUCCESS_RENEW,
                let ssl, let context = of(ssl)
            else { return SSL_TICKET_RETURN(SSL_TICKET_RETURN_IGNORE_RENEW) }
            var data: UnsafeMutableRawPointer?
            var count = 0
            guard SSL_SESSION_get0_ticket_appdata(session, &data, &count) == 1,
                UnsafeRawBufferPointer(start: data, count: count)
                    .elementsEqual(context.identity(of: ssl).leaf.fingerprint),
                isForName(session, ssl)
            else { return SSL_TICKET_RETURN(SSL_TICKET_RETURN_IGNORE_RENEW) }
            let renews = status == SSL_TICKET_SUCCESS_RENEW
            return SSL_TICKET_RETURN(renews ? SSL_TICKET_RETURN_USE_RENEW : SSL_TICKET_RETURN_USE)
        }

    /// Whether a session began with the name that is asked for now, as TLS 1.2 demands; in 1.3 a session has no name
    /// (RFC 8446 §4.2.11).
    private static func isForName(_ session: OpaquePointer?, _ ssl: OpaquePointer) -> Bool {
        guard SSL_version(ssl) < TLS1_3_VERSION, let asked = serverName(of: ssl) else { return true }
        guard let first = SSL_SESSION_get0_hostname(session) else { return false }
        let length = strlen(first)
        return length == asked.count
            && asked.withMemoryRebound(to: CChar.self) { name in
                OPENSSL_strncasecmp(name.baseAddress, first, length) == 0
            }
    }
}

extension TicketKey {
    fileprivate func seal(_ vector: UnsafePointer<UInt8>, _ cipher: OpaquePointer?, _ mac: OpaquePointer?) -> Bool {
        EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nil, cipherKey.bytes, vector) == 1 && start(mac)
    }

    fileprivate func open(_ vector: UnsafePointer<UInt8>, _ cipher: OpaquePointer?, _ mac: OpaquePointer?) -> Bool {
        EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nil, cipherKey.bytes, vector) == 1 && start(mac)
    }

    private func start(_ mac: OpaquePointer?) -> Bool {
        bh_mac_init_sha256(mac, macKey.bytes, macKey.count) == 1
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var bytes: UnsafePointer<UInt8>? { assumingMemoryBound(to: UInt8.self).baseAddress }
}
