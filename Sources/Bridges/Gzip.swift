internal import CZlib

/// gzip (RFC 1952) at its best level, the same bytes for the same content.
public enum Gzip {
    /// The content compressed.
    public static func compress(_ content: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // 15 bits of window, and 16 for gzip's own wrapper, whose time stays 0.
        guard bh_deflate_init2(&stream, 9, 15 + 16, 9) == Z_OK else { return [] }
        defer { deflateEnd(&stream) }
        var input = content
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(content.count))))
        let count = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END ? target.count - Int(stream.avail_out) : 0
            }
        }
        return Array(output[..<count])
    }
}
