internal import COpenSSL

/// One key that seals session tickets (RFC 5077 §4); its bytes are erased with it and shown by nothing.
public final class TicketKey: @unchecked Sendable {
    // Nothing is written after `init`: hence sendable.
    private let bytes: UnsafeMutableRawBufferPointer

    /// Bytes of a key: 16 of a name, 32 for AES-256-CBC, 32 for HMAC-SHA-256.
    public static let length = 80

    private init() {
        bytes = .allocate(byteCount: Self.length, alignment: 1)
    }

    deinit {
        OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        bytes.deallocate()
    }

    /// A key of ``length`` random bytes that someone else made; nil for more or fewer.
    public convenience init?(_ random: [UInt8]) {
        guard random.count == Self.length else { return nil }
        self.init()
        bytes.copyBytes(from: random)
    }

    /// A new key.
    ///
    /// - Throws: ``TLSError/refused(setting:reason:)`` when there is no randomness.
    static func random() throws(TLSError) -> TicketKey {
        let key = TicketKey()
        guard RAND_priv_bytes(key.bytes.baseAddress, CInt(length)) == 1 else {
            throw .refused(setting: "random ticket keys", reason: TLSContext.drainErrors())
        }
        return key
    }

    /// Stands in front of each ticket, in the clear: it tells which key opens it.
    var name: UnsafeRawBufferPointer { part(0..<16) }
    var cipherKey: UnsafeRawBufferPointer { part(16..<48) }
    var macKey: UnsafeRawBufferPointer { part(48..<80) }

    private func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[range])
    }
}
