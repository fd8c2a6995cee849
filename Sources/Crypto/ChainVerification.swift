internal import COpenSSL

extension Identity {
    /// Why a client that verifies a chain stops at one of its certificates.
    public enum Refusal: Hashable, Sendable {
        /// It may not issue others, or not the one before it.
        case mayNotIssue
        /// It may issue others for clients or mail, not for servers.
        case notForServers
        /// More issuers stand before it than it allows.
        case pathTooLong
        /// It has a name that one of its issuers does not allow.
        case nameNotAllowed
        /// It has an extension that nobody may pass over who does not know it.
        case unknownExtension
        /// Any other, in OpenSSL's words.
        case other(String)
    }
}

/// OpenSSL's verification of a chain, as a client does it that trusts the last one (RFC 5280 §6.1).
final class ChainVerification {
    private var refusals: [Identity.Defect] = []

    /// What is refused in a chain, as far as each one issued the one before it; times are not looked at.
    static func refusals(of chain: [Certificate]) -> [Identity.Defect] {
        let links = chain.indices.dropFirst().prefix { chain[$0].mayIssue && chain[$0].issued(chain[$0 - 1]) }
        let verification = ChainVerification()
        verification.run(Array(chain[...links.count]))
        return verification.refusals
    }

    private func run(_ chain: [Certificate]) {
        guard let trusted = bh_x509_stack_new(), let others = bh_x509_stack_new(), let context = X509_STORE_CTX_new()
        else { return }
        defer {
            X509_STORE_CTX_free(context)
            bh_x509_stack_free(trusted)
            bh_x509_stack_free(others)
            ERR_clear_error()
        }
        for one in chain { _ = bh_x509_stack_push(others, one.pointer) }
        _ = bh_x509_stack_push(trusted, chain[chain.count - 1].pointer)
        guard X509_STORE_CTX_init(context, nil, chain[0].pointer, others) == 1 else { return }
        X509_STORE_CTX_set0_trusted_stack(context, trusted)
        X509_STORE_CTX_set_flags(context, CUnsignedLong(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME))
        X509_STORE_CTX_set_purpose(context, X509_PURPOSE_SSL_SERVER)
        X509_STORE_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(self).toOpaque())
        X509_STORE_CTX_set_verify_cb(context, Self.note)
        X509_verify_cert(context)
    }

    /// Called for each certificate that is refused; goes on, so that all are.
    private static let note: @convention(c) (CInt, OpaquePointer?) -> CInt = { isFine, context in
        guard isFine == 0, let verification = X509_STORE_CTX_get_ex_data(context, 0) else { return 1 }
        let place = Int(X509_STORE_CTX_get_error_depth(context))
        if let refusal = refusal(X509_STORE_CTX_get_error(context), at: place) {
            Unmanaged<ChainVerification>.fromOpaque(verification).takeUnretainedValue().add(
                .refused(refusal, at: place)
            )
        }
        return 1
    }

    private func add(_ refusal: Identity.Defect) {
        if !refusals.contains(refusal) { refusals.append(refusal) }
    }

    /// Nil for what others say better: what a leaf is for is a defect of its own.
    private static func refusal(_ error: CInt, at place: Int) -> Identity.Refusal? {
        switch error {
        case X509_V_ERR_INVALID_PURPOSE: place == 0 ? nil : .notForServers
        case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN: .mayNotIssue
        case X509_V_ERR_PATH_LENGTH_EXCEEDED: .pathTooLong
        case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION: .nameNotAllowed
        case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: .unknownExtension
        default: .other(String(cString: X509_verify_cert_error_string(CLong(error))))
        }
    }
}
