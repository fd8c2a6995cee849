internal import COpenSSL

/// An X.509 certificate.
public final class Certificate: @unchecked Sendable {
    // OpenSSL counts references, and all that it computes on first use is computed in `init`: hence sendable.
    /// OpenSSL's `X509`, valid as long as this value.
    public let pointer: OpaquePointer
    /// The DNS names of its subject alternative names; `*.` stands for one label.
    public let dnsNames: [String]
    /// The addresses of its subject alternative names: 4 or 16 bytes each.
    public let addresses: [[UInt8]]
    /// From when it holds, in seconds since 1970.
    public let notBefore: Int
    /// Until when it holds, in seconds since 1970.
    public let notAfter: Int
    /// SHA-256 of its DER form.
    public let fingerprint: [UInt8]

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
        // Fills OpenSSL's cache of extensions, which later calls from several threads then only read.
        X509_check_purpose(pointer, -1, 0)
        (dnsNames, addresses) = Self.alternativeNames(of: pointer)
        notBefore = Self.seconds(X509_get0_notBefore(pointer))
        notAfter = Self.seconds(X509_get0_notAfter(pointer))
        var digest = [UInt8](repeating: 0, count: 32)
        X509_digest(pointer, EVP_sha256(), &digest, nil)
        fingerprint = digest
    }

    deinit { X509_free(pointer) }

    /// All certificates of a PEM text, in order; text about them is passed over.
    ///
    /// - Throws: ``CryptoError/noCertificate``, or ``CryptoError/malformedCertificate`` when one can't be read.
    public static func all(pem: [UInt8]) throws(CryptoError) -> [Certificate] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let found = MemoryBIO.reading(pem) { bio in
            var certificates: [Certificate] = []
            while let pointer = PEM_read_bio_X509(bio, nil, nil, nil) {
                certificates.append(Certificate(owning: pointer))
            }
            // The end of the text and a broken block both end the loop; only the first one is no start line.
            let reason = bh_err_reason(ERR_peek_last_error())
            return (certificates, reason == PEM_R_NO_START_LINE)
        }
        guard let (certificates, reachedEnd) = found, reachedEnd else { throw .malformedCertificate }
        guard !certificates.isEmpty else { throw .noCertificate }
        return certificates
    }

    /// The certificate as PEM.
    public func pem() throws(CryptoError) -> [UInt8] {
        let memory = try MemoryBIO()
        guard PEM_write_bio_X509(memory.pointer, pointer) == 1 else { throw .failed("write a certificate") }
        return memory.bytes
    }

    /// Whether it holds at a time, in seconds since 1970.
    public func holds(at now: Int) -> Bool { notBefore <= now && now < notAfter }

    /// The fingerprint as browsers and `openssl x509 -fingerprint` show it: `AB:CD:…`.
    public var fingerprintText: String {
        fingerprint.map { [$0].hexadecimal.uppercased() }.joined(separator: ":")
    }

    /// Whether issuer and subject are one.
    public var isSelfSigned: Bool {
        X509_NAME_cmp(X509_get_subject_name(pointer), X509_get_issuer_name(pointer)) == 0
    }

    /// Whether it may issue others.
    public var isAuthority: Bool { X509_check_ca(pointer) > 0 }

    /// Whether it may stand for a TLS server: without extended key usage, or with serverAuth.
    public var isForServers: Bool { X509_get_extended_key_usage(pointer) & UInt32(XKU_SSL_SERVER) != 0 }

    /// Whether what it issues may be for any purpose: without extended key usage, or with any (RFC 5280 §4.2.1.12).
    public var isForAnyPurpose: Bool { X509_get_extended_key_usage(pointer) & UInt32(XKU_ANYEKU) != 0 }

    /// Whether it is signed over a hash that is broken, as SHA-1 and MD5 are.
    public var hasWeakSignature: Bool {
        var strength: CInt = 0
        X509_get_signature_info(pointer, nil, nil, &strength, nil)
        return strength < 112
    }

    /// Whether it may issue others, as its basic constraints and its key usage say; old roots have neither.
    public var mayIssue: Bool {
        guard X509_check_ca(pointer) == 1 else { return isSelfSigned && isAuthority }
        return X509_get_key_usage(pointer) & UInt32(KU_KEY_CERT_SIGN) != 0
    }

    /// Whether its key may sign a handshake: without key usage, or with digitalSignature.
    public var maySign: Bool { X509_get_key_usage(pointer) & UInt32(KU_DIGITAL_SIGNATURE) != 0 }

    /// Whether it demands an OCSP answer with each handshake, the one TLS feature there is (RFC 7633).
    public var demandsStapling: Bool { X509_get_ext_by_NID(pointer, NID_tlsfeature, -1) >= 0 }

    /// Whether the other one was issued by this one: by names, key identifiers and signature, allowed or not.
    public func issued(_ other: Certificate) -> Bool {
        defer { ERR_clear_error() }
        let result = X509_check_issued(pointer, other.pointer)
        return [X509_V_OK, X509_V_ERR_KEYUSAGE_NO_CERTSIGN].contains(result)
            && X509_verify(other.pointer, X509_get0_pubkey(pointer)) == 1
    }

    /// Whether the key belongs to it.
    public func matches(_ key: PrivateKey) -> Bool {
        defer { ERR_clear_error() }
        return X509_check_private_key(pointer, key.pointer) == 1
    }

    /// Whether it covers a host: a DNS name in lower case, an IPv4 address, or an IPv6 one in brackets (RFC 9525 §6).
    public func covers(host: String) -> Bool {
        let address = host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host
        return X509_check_ip_asc(pointer, address, 0) == 1
            || X509_check_host(pointer, host, host.utf8.count, Self.nameFlags, nil) == 1
    }

    /// Whether a name is a wildcard that clients take: `*.` before two labels or more.
    public static func isWildcard(_ name: some Collection<UInt8>) -> Bool {
        let rest = name.dropFirst(2)
        return name.starts(with: "*.".utf8) && !rest.contains(UInt8(ascii: "*"))
            && rest.dropFirst().dropLast().contains(UInt8(ascii: "."))
    }

    /// The common name counts nowhere any more, and `*` is a whole label.
    private static let nameFlags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int {
        var days: CInt = 0
        var seconds: CInt = 0
        let epoch = ASN1_TIME_set(nil, 0)
        defer { ASN1_TIME_free(epoch) }
        ASN1_TIME_diff(&days, &seconds, epoch, time)
        return Int(days) * 86_400 + Int(seconds)
    }

    private static func alternativeNames(of pointer: OpaquePointer) -> ([String], [[UInt8]]) {
        var names: [String] = []
        var addresses: [[UInt8]] = []
        let list = bh_x509_alternative_names(pointer)
        defer { bh_general_names_free(list) }
        for index in 0..<bh_general_names_count(list) {
            var type: CInt = 0
            var length: CInt = 0
            guard let data = bh_general_name(list, index, &type, &length) else { continue }
            let bytes = Array(UnsafeBufferPointer(start: data, count: Int(length)))
            if type == GEN_DNS, !bytes.contains(0) { names.append(String(decoding: bytes, as: UTF8.self)) }
            if type == GEN_IPADD { addresses.append(bytes) }
        }
        return (names, addresses)
    }
}
