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
enum ChainVerification {
    private typealias Finding = (error: CInt, certificate: OpaquePointer?)

    /// What is refused in a chain of which each one issued the one before it and may; times are not looked at.
    static func refusals(of chain: [Certificate]) -> [Identity.Defect] {
        findings(in: chain).reduce(into: []) { defects, finding in
            // OpenSSL may take a shorter way than the file's, so that its depth is no place there.
            guard let place = chain.firstIndex(where: { $0.pointer == finding.certificate }),
                let refusal = refusal(finding.error, of: chain[place], at: place)
            else { return }
            let defect = Identity.Defect.refused(refusal, at: place)
            if !defects.contains(defect) { defects.append(defect) }
        }
    }

    private static func findings(in chain: [Certificate]) -> [Finding] {
        guard let trusted = bh_x509_stack_new(), let others = bh_x509_stack_new(), let context = X509_STORE_CTX_new()
        else { return [] }
        defer {
            X509_STORE_CTX_free(context)
            bh_x509_stack_free(trusted)
            bh_x509_stack_free(others)
            ERR_clear_error()
        }
        for one in chain { _ = bh_x509_stack_push(others, one.pointer) }
        _ = bh_x509_stack_push(trusted, chain[chain.count - 1].pointer)
        guard X509_STORE_CTX_init(context, nil, chain[0].pointer, others) == 1 else { return [] }
        X509_STORE_CTX_set0_trusted_stack(context, trusted)
        X509_STORE_CTX_set_flags(context, CUnsignedLong(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME))
        X509_STORE_CTX_set_purpose(context, X509_PURPOSE_SSL_SERVER)
        X509_STORE_CTX_set_verify_cb(context, note)
        var findings: [Finding] = []
        withUnsafeMutablePointer(to: &findings) { pointer in
            X509_STORE_CTX_set_ex_data(context, 0, pointer)
            X509_verify_cert(context)
        }
        return findings
    }

    /// Called for each certificate that is refused; goes on, so that all are.
    private static let note: @convention(c) (CInt, OpaquePointer?) -> CInt = { isFine, context in
        guard isFine == 0, let findings = X509_STORE_CTX_get_ex_data(context, 0) else { return 1 }
        findings.assumingMemoryBound(to: [Finding].self).pointee.append(
            (X509_STORE_CTX_get_error(context), X509_STORE_CTX_get_current_cert(context))
        )
        return 1
    }

    /// Nil for what others say better, as what a leaf is for, and for what OpenSSL alone refuses.
    private static func refusal(_ error: CInt, of certificate: Certificate, at place: Int) -> Identity.Refusal? {
        switch error {
        case X509_V_ERR_INVALID_PURPOSE: place == 0 || certificate.isForAnyPurpose ? nil : .notForServers
        case X509_V_ERR_PATH_LENGTH_EXCEEDED: .pathTooLong
        case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION: .nameNotAllowed
        case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: .unknownExtension
        default: .other(String(cString: X509_verify_cert_error_string(CLong(error))))
        }
    }
}
