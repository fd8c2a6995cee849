internal import COpenSSL
internal import Crypto

/// What all sessions of one worker have in common: versions, suites, certificates, ticket keys.
///
/// Each worker has its own over the same keys, so that no lock or counter is shared. Confined to the worker's thread.
public final class TLSContext {
    let context: OpaquePointer
    let certificates: CertificateStore
    /// The keys of tickets; others may take their place at any time.
    public var ticketKeys: TicketKeys

    /// A context over shared certificates and ticket keys.
    ///
    /// - Throws: ``TLSError`` when OpenSSL refuses a setting, a certificate or a key.
    public init(certificates: CertificateStore, ticketKeys: TicketKeys) throws(TLSError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw .outOfMemory }
        self.context = context
        self.certificates = certificates
        self.ticketKeys = ticketKeys
        SSL_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(self).toOpaque())
        try setProtocol()
        setMemory()
        try setTickets()
        try setCertificates()
        SSL_CTX_set_alpn_select_cb(context, Self.chooseProtocol, nil)
    }

    deinit { SSL_CTX_free(context) }

    /// The context of a session, for OpenSSL's callbacks.
    static func of(_ ssl: OpaquePointer) -> TLSContext? {
        SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0).map { Unmanaged<TLSContext>.fromOpaque($0).takeUnretainedValue() }
    }

    func require(_ result: Int, _ setting: String) throws(TLSError) {
        guard result == 1 else { throw .refused(setting: setting, reason: Self.drainErrors()) }
    }

    /// TLS 1.2 and 1.3 with forward secrecy and AEAD alone; X25519 first (RFC 9325 §4).
    private func setProtocol() throws(TLSError) {
        try require(Int(bh_ctx_set_min_version(context, TLS1_2_VERSION)), "TLS 1.2 as the lowest version")
        let suites = [
            "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256",
            "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-RSA-AES256-GCM-SHA384",
            "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
        ]
        try require(Int(SSL_CTX_set_cipher_list(context, suites.joined(separator: ":"))), "the cipher suites")
        try require(Int(bh_ctx_set_groups(context, "X25519:P-256:P-384")), "the groups")
        // AES-128 before AES-256: as strong as the key exchange and a quarter cheaper. A client that puts ChaCha20 first
        // has no AES in hardware, and gets it.
        let suites13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
        try require(Int(SSL_CTX_set_ciphersuites(context, suites13)), "the cipher suites of TLS 1.3")
        let signatures = [
            "ECDSA+SHA256", "ECDSA+SHA384", "ECDSA+SHA512", "ed25519",
            "rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512",
            "RSA+SHA256", "RSA+SHA384", "RSA+SHA512",
        ]
        try require(Int(bh_ctx_set_signatures(context, signatures.joined(separator: ":"))), "the signatures")
        bh_ctx_set_options(context)
    }

    private func setMemory() {
        // Idle connections keep no record buffers; a write that is repeated may come from another place.
        _ = bh_ctx_set_mode(
            context,
            CLong(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER)
        )
    }

    /// The first certificate is the context's own; another is put into the session that asks for it by name.
    private func setCertificates() throws(TLSError) {
        let identity = certificates.identities[0]
        try require(Int(SSL_CTX_use_certificate(context, identity.leaf.pointer)), "the certificate")
        for intermediate in identity.intermediates {
            // SSL_CTX_add1_chain_cert is a macro over this control; it counts its own reference.
            let result = SSL_CTX_ctrl(
                context,
                SSL_CTRL_CHAIN_CERT,
                1,
                UnsafeMutableRawPointer(intermediate.pointer)
            )
            try require(Int(result), "the certificate chain")
        }
        try require(Int(SSL_CTX_use_PrivateKey(context, identity.key.pointer)), "the private key")
        SSL_CTX_set_client_hello_cb(context, Self.readServerName, nil)
        _ = bh_ctx_acknowledge_names(context)
        SSL_CTX_set_cert_cb(context, Self.showCertificate, nil)
    }

    private static let showCertificate: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = { ssl, _ in
        guard let ssl, let context = of(ssl), let choice = choice(of: ssl), choice.index > 0 else { return 1 }
        return context.certificates.identities[choice.index].use(in: ssl) ? 1 : 0
    }

    /// `http/1.1`, else `http/1.0`, or the alert `no_application_protocol` when the client offers only others
    /// (RFC 7301 §3.2).
    private static let chooseProtocol:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
            UnsafePointer<UInt8>?, CUnsignedInt, UnsafeMutableRawPointer?
        ) -> CInt = { _, chosen, chosenLength, offered, offeredLength, _ in
            guard let chosen, let chosenLength, let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
            // Both in the form of the wire, the length before the name; OpenSSL takes the first of ours that was offered.
            let ours: StaticString = "\u{8}http/1.1\u{8}http/1.0"
            let result = bh_select_protocol(
                chosen,
                chosenLength,
                ours.utf8Start,
                CUnsignedInt(ours.utf8CodeUnitCount),
                offered,
                offeredLength
            )
            return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
        }

    /// Takes all errors of this thread's queue, so that none is blamed on the next session; the first one's text.
    @discardableResult
    static func drainErrors() -> String {
        let code = ERR_get_error()
        guard code != 0 else { return "no reason given" }
        ERR_clear_error()
        return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

extension Identity {
    /// Puts certificate, chain and key into one session.
    fileprivate func use(in ssl: OpaquePointer) -> Bool {
        guard let stack = bh_x509_stack_new() else { return false }
        defer { bh_x509_stack_free(stack) }
        // Of the default certificate nothing may be left: OpenSSL chooses among keys of several kinds by itself.
        SSL_certs_clear(ssl)
        for intermediate in intermediates { _ = bh_x509_stack_push(stack, intermediate.pointer) }
        return SSL_use_certificate(ssl, leaf.pointer) == 1 && bh_ssl_set_chain(ssl, stack) == 1
            && SSL_use_PrivateKey(ssl, key.pointer) == 1
    }
}
