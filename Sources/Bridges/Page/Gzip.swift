internal import CZlib

/// The gzip form (RFC 1952) of bytes that are sent many times.
public enum Gzip {
    /// The bytes at zlib's level 9, without name and time, so that the same input is the same output in every process.
    public static func compress(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // 15 bits of window; 16 more ask for the gzip wrapper.
        let status = bh_deflate_init2(&stream, 9, 15 + 16, 9)
        precondition(status == Z_OK, "zlib has no memory for a deflate state")
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
        let written = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                let status = deflate(&stream, Z_FINISH)
                precondition(status == Z_STREAM_END, "deflateBound gave too little room")
                return target.count - Int(stream.avail_out)
            }
        }
        return Array(output[..<written])
    }
}
