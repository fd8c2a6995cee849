internal import COpenSSL
internal import Crypto

/// Which keys a client can verify, as its ClientHello says; valid only while that is looked at.
struct ClientAbilities {
    /// Whether TLS 1.3 will be spoken, whose suites go with any key.
    private let speaksTLS13: Bool
    private let schemes: HelloCodes
    private let suites: HelloCodes
    private let groups: HelloCodes

    init(of ssl: OpaquePointer) {
        let versions = HelloCodes(of: ssl, TLSEXT_TYPE_supported_versions, lengthBytes: 1)
        speaksTLS13 = versions?.contains { $0 == UInt16(TLS1_3_VERSION) } ?? false
        schemes = HelloCodes(of: ssl, TLSEXT_TYPE_signature_algorithms, lengthBytes: 2) ?? HelloCodes()
        suites = HelloCodes(suitesOf: ssl)
        groups = HelloCodes(of: ssl, TLSEXT_TYPE_supported_groups, lengthBytes: 2) ?? HelloCodes()
    }

    /// Whether a signature of the key can be verified by the rules of the version that will be spoken, and a suite that
    /// calls for such a key was offered.
    func canVerify(_ key: PrivateKey) -> Bool {
        switch key.kind {
        case .rsa:
            let canVerify = schemes.contains { Self.isPSS($0) || !speaksTLS13 && Self.isPKCS1($0) }
            return canVerify && (speaksTLS13 || suites.contains(where: Self.isRSASuite))
        case .ellipticCurve:
            guard let (scheme, group) = key.curve.map(Self.codes) else { return false }
            return canVerify(scheme: scheme, group: group)
        // Ed25519, the one other key that sessions sign with.
        case .other:
            return schemes.contains { $0 == 0x0807 } && (speaksTLS13 || suites.contains(where: Self.isECDSASuite))
        }
    }

    /// A scheme of TLS 1.3 is for one curve (RFC 8446 §4.2.3); in 1.2 it is for any, and the groups tell which ones the
    /// client knows (RFC 8422 §5.1).
    private func canVerify(scheme: UInt16, group: UInt16) -> Bool {
        guard !speaksTLS13 else { return schemes.contains { $0 == scheme } }
        return schemes.contains(where: Self.isECDSA) && suites.contains(where: Self.isECDSASuite)
            && groups.contains { $0 == group }
    }

    private static func codes(of curve: PrivateKey.Curve) -> (scheme: UInt16, group: UInt16) {
        switch curve {
        case .p256: (0x0403, 0x0017)
        case .p384: (0x0503, 0x0018)
        case .p521: (0x0603, 0x0019)
        }
    }

    // Of the schemes those over SHA-256, 384 and 512; of the suites those with AES-128-GCM, AES-256-GCM and
    // ChaCha20-Poly1305: no others are spoken here.

    private static func isECDSA(_ scheme: UInt16) -> Bool { [0x0403, 0x0503, 0x0603].contains(scheme) }
    private static func isPKCS1(_ scheme: UInt16) -> Bool { [0x0401, 0x0501, 0x0601].contains(scheme) }
    private static func isPSS(_ scheme: UInt16) -> Bool { (0x0804...0x0806).contains(scheme) }
    private static func isECDSASuite(_ suite: UInt16) -> Bool { [0xC02B, 0xC02C, 0xCCA9].contains(suite) }
    private static func isRSASuite(_ suite: UInt16) -> Bool { [0xC02F, 0xC030, 0xCCA8].contains(suite) }
}
