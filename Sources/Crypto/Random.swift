internal import COpenSSL

/// Random bytes for keys and tokens, by OpenSSL.
public enum Random {
    /// So many bytes.
    ///
    /// - Throws: ``CryptoError/noRandomness``.
    public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, CInt(count)) == 1 else { throw .noRandomness }
        return bytes
    }
}

/// Whether two secrets are equal, in a time that depends on their lengths alone.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}
