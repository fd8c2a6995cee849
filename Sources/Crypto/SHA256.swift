internal import COpenSSL

/// SHA-256 (FIPS 180-4), by OpenSSL.
public enum SHA256 {
    /// The 32-byte digest.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: CUnsignedInt = 0
        let done = EVP_Digest(bytes, bytes.count, &digest, &count, EVP_sha256(), nil)
        precondition(done == 1 && count == 32, "OpenSSL has no SHA-256")
        return digest
    }
}
