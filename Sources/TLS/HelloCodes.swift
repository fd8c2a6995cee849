internal import COpenSSL

/// A list of 16-bit codes in a ClientHello; valid only while that is looked at.
struct HelloCodes {
    private let bytes: UnsafeBufferPointer<UInt8>

    /// No code.
    init() { bytes = UnsafeBufferPointer(start: nil, count: 0) }

    /// The codes of an extension, which begins with the list's length; nil where it was not sent.
    init?(of ssl: OpaquePointer, _ type: CInt, lengthBytes: Int) {
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard SSL_client_hello_get0_ext(ssl, CUnsignedInt(type), &start, &count) == 1 else { return nil }
        bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(start: start, count: count).dropFirst(lengthBytes))
    }

    /// The cipher suites.
    init(suitesOf ssl: OpaquePointer) {
        var start: UnsafePointer<UInt8>?
        let count = SSL_client_hello_get0_ciphers(ssl, &start)
        bytes = UnsafeBufferPointer(start: start, count: count)
    }

    func contains(where isWanted: (UInt16) -> Bool) -> Bool {
        stride(from: 0, to: bytes.count - 1, by: 2).contains {
            isWanted(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]))
        }
    }
}
