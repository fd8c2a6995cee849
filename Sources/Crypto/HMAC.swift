internal import COpenSSL

/// HMAC-SHA256 (RFC 2104), by OpenSSL.
public enum HMAC {
    /// The 32-byte code of a message.
    public static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var count: CUnsignedInt = 0
        let done = COpenSSL.HMAC(EVP_sha256(), key, CInt(key.count), message, message.count, &code, &count)
        precondition(done != nil && count == 32, "OpenSSL has no HMAC-SHA256")
        return code
    }
}
