internal import COpenSSL
internal import Crypto

/// Which keys a client can verify, as its ClientHello says; valid only while that is looked at.
struct ClientAbilities {
    private let schemes: UnsafeBufferPointer<UInt8>
    private let suites: UnsafeBufferPointer<UInt8>

    init(of ssl: OpaquePointer) {
        var start: UnsafePointer<UInt8>?
        var count = 0
        let type = CUnsignedInt(TLSEXT_TYPE_signature_algorithms)
        let hasSchemes = SSL_client_hello_get0_ext(ssl, type, &start, &count) == 1 && count > 2
        let list = hasSchemes ? UnsafeBufferPointer(start: start, count: count) : .init(start: nil, count: 0)
        // The list's length stands before it (RFC 8446 §4.2.3).
        schemes = UnsafeBufferPointer(rebasing: list.dropFirst(2))
        let length = SSL_client_hello_get0_ciphers(ssl, &start)
        suites = UnsafeBufferPointer(start: start, count: length)
    }

    /// Whether a signature of the key can be verified, and a suite that calls for such a key was offered.
    func canVerify(_ key: PrivateKey) -> Bool {
        let (schemes, suites) = Self.needs(of: key.kind)
        return has(schemes, in: self.schemes) && has(Self.suitesOfTLS13 + suites, in: self.suites)
    }

    private func has(_ values: [UInt16], in list: UnsafeBufferPointer<UInt8>) -> Bool {
        stride(from: 0, to: list.count - 1, by: 2).contains { index in
            values.contains(UInt16(list[index]) << 8 | UInt16(list[index + 1]))
        }
    }

    /// Of TLS 1.3, whose suites go with any key: AES-128-GCM, AES-256-GCM, ChaCha20-Poly1305.
    private static let suitesOfTLS13: [UInt16] = [0x1301, 0x1302, 0x1303]

    /// The signature schemes that serve a kind of key, and the suites of TLS 1.2 that call for it.
    private static func needs(of kind: PrivateKey.Kind) -> (schemes: [UInt16], suites: [UInt16]) {
        // ECDHE-ECDSA with AES-128-GCM, AES-256-GCM, ChaCha20-Poly1305.
        let ecdsa: [UInt16] = [0xC02B, 0xC02C, 0xCCA9]
        return switch kind {
        case .ellipticCurve(let bits) where bits <= 256: ([0x0403], ecdsa)
        case .ellipticCurve(let bits) where bits <= 384: ([0x0503], ecdsa)
        case .ellipticCurve: ([0x0603], ecdsa)
        // rsa_pss_rsae and rsa_pkcs1 over SHA-256, 384 and 512; ECDHE-RSA with the same three.
        case .rsa: ([0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601], [0xC02F, 0xC030, 0xCCA8])
        // Ed25519, the one other key that sessions sign with.
        case .other: ([0x0807], ecdsa)
        }
    }
}
