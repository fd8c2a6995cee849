internal import COpenSSL

/// Makes certificates on P-256 for development: a private authority, leaves of it, and self-signed ones.
public enum CertificateMaker {
    /// The most days that iOS accepts of a leaf whose authority a person trusts.
    public static let maximumDays = 825

    /// A self-signed certificate for hosts, held in memory alone.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: ``CryptoError/invalidHost(_:)`` or a failure of OpenSSL.
    public static func selfSigned(hosts: [String], days: Int, now: Int) throws(CryptoError) -> Identity {
        let key = try PrivateKey.generate()
        let leaf = try make(
            subject: "bridgehost self-signed",
            key: key,
            issuer: nil,
            extensions: try leafExtensions(hosts),
            days: days,
            now: now
        )
        return Identity(leaf: leaf, intermediates: [], key: key)
    }

    /// A private authority that issues leaves alone.
    public static func authority(name: String, days: Int, now: Int) throws(CryptoError) -> Identity {
        let key = try PrivateKey.generate()
        let extensions = [
            (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
            (NID_key_usage, "critical,keyCertSign,cRLSign"),
            (NID_subject_key_identifier, "hash"),
        ]
        let leaf = try make(subject: name, key: key, issuer: nil, extensions: extensions, days: days, now: now)
        return Identity(leaf: leaf, intermediates: [], key: key)
    }

    /// A leaf of an authority, as iOS and Android accept it once the authority is trusted.
    ///
    /// - Parameters:
    ///   - hosts: DNS names, `*.`-names and addresses; the first one is the subject.
    ///   - days: at most ``maximumDays``.
    public static func leaf(
        hosts: [String],
        authority: Identity,
        days: Int,
        now: Int
    ) throws(CryptoError) -> Identity {
        let key = try PrivateKey.generate()
        let leaf = try make(
            subject: String((hosts.first ?? "").prefix(64)),
            key: key,
            issuer: authority,
            extensions: try leafExtensions(hosts),
            days: min(days, maximumDays),
            now: now
        )
        return Identity(leaf: leaf, intermediates: [authority.leaf], key: key)
    }

    private static func leafExtensions(_ hosts: [String]) throws(CryptoError) -> [(CInt, String)] {
        var names: [String] = []
        for host in hosts { names.append(try alternativeName(host)) }
        return [
            (NID_basic_constraints, "critical,CA:FALSE"),
            (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, "serverAuth"),
            (NID_subject_key_identifier, "hash"),
            (NID_subject_alt_name, names.joined(separator: ",")),
        ]
    }

    /// The host in OpenSSL's notation, whose commas and line ends would begin other names.
    private static func alternativeName(_ host: String) throws(CryptoError) -> String {
        if let address = a2i_IPADDRESS(host) {
            ASN1_OCTET_STRING_free(address)
            return "IP:\(host)"
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            (1...253).contains(host.utf8.count)
            && labels.enumerated().allSatisfy { index, label in
                if index == 0, label == "*", labels.count > 2 { return true }
                return (1...63).contains(label.utf8.count) && label.utf8.allSatisfy(isNameByte)
                    && label.utf8.first != UInt8(ascii: "-") && label.utf8.last != UInt8(ascii: "-")
            }
        guard isName else { throw .invalidHost(host) }
        return "DNS:\(host.lowercased())"
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
        default: false
        }
    }

    private static func make(
        subject: String,
        key: PrivateKey,
        issuer: Identity?,
        extensions: [(CInt, String)],
        days: Int,
        now: Int
    ) throws(CryptoError) -> Certificate {
        guard let pointer = X509_new() else { throw .failed("make a certificate") }
        let certificate = UnfinishedCertificate(pointer)
        try certificate.setSerial()
        try certificate.setName(subject, issuer: issuer)
        // Clocks of phones may be behind; what holds too long is refused, so the end moves with the start.
        let start = now - 3_600
        try certificate.setTimes(from: start, to: start + days * 86_400)
        guard X509_set_pubkey(pointer, key.pointer) == 1 else { throw .failed("set a public key") }
        for (kind, value) in extensions { try certificate.add(kind, value, issuer: issuer) }
        if issuer != nil { try certificate.add(NID_authority_key_identifier, "keyid", issuer: issuer) }
        guard X509_sign(pointer, (issuer?.key ?? key).pointer, EVP_sha256()) > 0 else {
            throw .failed("sign a certificate")
        }
        X509_up_ref(pointer)
        return Certificate(owning: pointer)
    }
}

/// A certificate in the making.
private final class UnfinishedCertificate {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        X509_set_version(pointer, CLong(X509_VERSION_3))
    }

    deinit { X509_free(pointer) }

    /// A random positive number of 127 bits: no two certificates of one authority may share one.
    func setSerial() throws(CryptoError) {
        var bytes = try Random.bytes(16)
        bytes[0] = bytes[0] & 0x7F | 0x40
        guard let number = BN_bin2bn(bytes, CInt(bytes.count), nil) else { throw .failed("make a serial number") }
        defer { BN_free(number) }
        guard BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil else {
            throw .failed("set a serial number")
        }
    }

    func setName(_ subject: String, issuer: Identity?) throws(CryptoError) {
        guard let name = X509_get_subject_name(pointer),
            X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8, subject, CInt(subject.utf8.count), -1, 0)
                == 1,
            X509_set_issuer_name(pointer, issuer.map { X509_get_subject_name($0.leaf.pointer) } ?? name) == 1
        else { throw .failed("set a name") }
    }

    func setTimes(from start: Int, to end: Int) throws(CryptoError) {
        guard ASN1_TIME_set(X509_getm_notBefore(pointer), start) != nil,
            ASN1_TIME_set(X509_getm_notAfter(pointer), end) != nil
        else { throw .failed("set the validity") }
    }

    func add(_ kind: CInt, _ value: String, issuer: Identity?) throws(CryptoError) {
        guard bh_x509_add_extension(pointer, issuer?.leaf.pointer ?? pointer, kind, value) == 1 else {
            throw .failed("add the extension \(String(cString: OBJ_nid2ln(kind)))")
        }
    }
}
