import CZlib
import Testing

@testable import Bridges

@Suite("Gzip")
struct GzipTests {
    private func decompress(_ bytes: [UInt8], capacity: Int) -> [UInt8]? {
        var stream = z_stream()
        guard bh_inflate_init2(&stream, 15 + 16) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: capacity + 1)
        let status = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END, stream.avail_in == 0 else { return nil }
        return Array(output[..<Int(stream.total_out)])
    }

    @Test("gives back what went in", arguments: [0, 1, 2, 1000, 100_000])
    func roundTrip(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
        #expect(decompress(Gzip.compress(bytes), capacity: count) == bytes)
    }

    @Test("carries no time and no name, so the same input is the same output")
    func determinism() {
        let bytes = Array(String(repeating: "a page ", count: 500).utf8)
        let compressed = Gzip.compress(bytes)
        #expect(compressed == Gzip.compress(bytes))
        #expect(Array(compressed.prefix(8)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
        #expect(compressed.count < 100)
    }
}
