internal import COpenSSL

/// A private key.
public final class PrivateKey: @unchecked Sendable {
    /// What kind of key, with its strength in bits.
    public enum Kind: Hashable, Sendable {
        /// On an elliptic curve.
        case ellipticCurve(bits: Int)
        /// RSA.
        case rsa(bits: Int)
        /// Any other.
        case other
    }

    /// A curve that TLS 1.3 has a signature scheme for (RFC 8446 §4.2.3); the text is OpenSSL's name.
    public enum Curve: String, Sendable {
        /// NIST P-256.
        case p256 = "prime256v1"
        /// NIST P-384.
        case p384 = "secp384r1"
        /// NIST P-521.
        case p521 = "secp521r1"
    }

    // OpenSSL counts references and never changes a key that is in use: hence sendable.
    /// OpenSSL's `EVP_PKEY`, valid as long as this value.
    public let pointer: OpaquePointer
    /// Its curve; nil without one, and for one that TLS 1.3 has no scheme for.
    public let curve: Curve?

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
        curve = Curve(rawValue: Self.groupName(of: pointer))
    }

    deinit { EVP_PKEY_free(pointer) }

    /// A key from PEM (PKCS #8, SEC 1 or PKCS #1), not encrypted.
    ///
    /// - Throws: ``CryptoError/malformedKey`` or ``CryptoError/encryptedKey``; nobody is ever asked for a passphrase.
    public convenience init(pem: [UInt8]) throws(CryptoError) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        var wasAsked = false
        let key = withUnsafeMutablePointer(to: &wasAsked) { asked in
            MemoryBIO.reading(pem) { PEM_read_bio_PrivateKey($0, nil, Self.refusePassphrase, asked) } ?? nil
        }
        guard let key else { throw wasAsked ? .encryptedKey : .malformedKey }
        self.init(owning: key)
    }

    private static let refusePassphrase:
        @convention(c) (UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?) -> CInt = {
            _,
            _,
            _,
            asked in
            asked?.assumingMemoryBound(to: Bool.self).pointee = true
            return -1
        }

    /// A new key on P-256.
    public static func generate() throws(CryptoError) -> PrivateKey {
        guard let key = bh_ec_p256_generate() else { throw .failed("make a key") }
        return PrivateKey(owning: key)
    }

    /// What kind of key it is.
    public var kind: Kind {
        let bits = Int(EVP_PKEY_get_bits(pointer))
        return switch EVP_PKEY_get_base_id(pointer) {
        case EVP_PKEY_EC: .ellipticCurve(bits: bits)
        case EVP_PKEY_RSA: .rsa(bits: bits)
        default: .other
        }
    }

    /// Whether every client refuses it: RSA below 2,048 bits, a curve below 224.
    public var isWeak: Bool {
        switch kind {
        case .ellipticCurve(let bits): bits < 224
        case .rsa(let bits): bits < 2_048
        case .other: false
        }
    }

    /// Whether iOS and Android know it: RSA, or a curve that browsers have.
    public var isCommon: Bool {
        switch kind {
        case .ellipticCurve: curve == .p256 || curve == .p384
        case .rsa: true
        case .other: false
        }
    }

    /// The name of a key's curve; empty without one.
    private static func groupName(of pointer: OpaquePointer) -> String {
        var name = [CChar](repeating: 0, count: 64)
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, nil) == 1 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The key as PEM (PKCS #8, not encrypted).
    public func pem() throws(CryptoError) -> [UInt8] {
        let memory = try MemoryBIO()
        guard PEM_write_bio_PKCS8PrivateKey(memory.pointer, pointer, nil, nil, 0, nil, nil) == 1 else {
            throw .failed("write a key")
        }
        return memory.bytes
    }
}
