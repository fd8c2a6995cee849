internal import COpenSSL

/// Memory that OpenSSL reads from and writes to.
struct MemoryBIO: ~Copyable {
    let pointer: OpaquePointer

    init() throws(CryptoError) {
        guard let pointer = BIO_new(BIO_s_mem()) else { throw .failed("reserve memory") }
        self.pointer = pointer
    }

    /// Over bytes that stay in place while `body` runs.
    static func reading<Result>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Result) -> Result? {
        bytes.withUnsafeBytes { buffer in
            guard let bio = BIO_new_mem_buf(buffer.baseAddress, CInt(clamping: buffer.count)) else { return nil }
            defer { BIO_free(bio) }
            return body(bio)
        }
    }

    deinit { BIO_free(pointer) }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = BIO_read(pointer, &chunk, CInt(chunk.count))
            guard count > 0 else { return bytes }
            bytes += chunk[..<Int(count)]
        }
    }
}
