internal import System

extension ProxyHeader {
    /// Longer headers are refused: what proxies send has some hundred bytes, the longest with a client's certificate.
    static let mostBinaryBytes = 4_096

    private static let signature: StaticString = "\r\n\r\n\0\r\nQUIT\n"
    private static let fixedBytes = 16

    /// How the block after the fixed bytes is laid out (§2.2), by the byte of family and transport.
    private enum Layout {
        /// Two addresses of so many bytes, two ports, then vectors.
        case internet(addressBytes: Int)
        /// Two paths of 108 bytes, then vectors.
        case local
        /// Nothing that can be told.
        case unspecified

        init?(_ byte: UInt8) {
            switch byte {
            case 0x00: self = .unspecified
            case 0x11: self = .internet(addressBytes: 4)
            case 0x21: self = .internet(addressBytes: 16)
            case 0x31, 0x32: self = .local
            // Datagrams of IP can't have come by a stream; all else the protocol does not have.
            default: return nil
            }
        }

        var count: Int {
            switch self {
            case .internet(let addressBytes): 2 * addressBytes + 4
            case .local: 216
            case .unspecified: 0
            }
        }
    }

    static func readBinary(_ bytes: Span<UInt8>) -> Step {
        guard agree(bytes, signature) else { return .malformed }
        guard bytes.count >= fixedBytes else { return .incomplete }
        guard bytes[12] == 0x20 || bytes[12] == 0x21 else { return .malformed }
        let count = fixedBytes + (Int(bytes[14]) << 8 | Int(bytes[15]))
        guard count <= mostBinaryBytes else { return .malformed }
        guard bytes.count >= count else { return .incomplete }
        // LOCAL: the proxy's own connection, whatever the rest says.
        if bytes[12] == 0x20 { return .complete(ProxyHeader(source: nil, count: count)) }
        return readBlock(bytes.extracting(first: count))
    }

    private static func readBlock(_ header: Span<UInt8>) -> Step {
        guard let layout = Layout(header[13]) else { return .malformed }
        let vectors = fixedBytes + layout.count
        guard header.count >= vectors else { return .malformed }
        var source: SocketAddress?
        switch layout {
        case .internet(let addressBytes):
            let port = fixedBytes + 2 * addressBytes
            source = SocketAddress(
                bytes: header.extracting(fixedBytes..<(fixedBytes + addressBytes)),
                port: UInt16(header[port]) << 8 | UInt16(header[port + 1])
            )
        case .local: break
        case .unspecified: return .complete(ProxyHeader(source: nil, count: header.count))
        }
        guard areSound(header, from: vectors) else { return .malformed }
        return .complete(ProxyHeader(source: source, count: header.count))
    }

    /// Whether the vectors (type, length, value) end where the header ends, and its checksum, if it has one, is right.
    private static func areSound(_ header: Span<UInt8>, from start: Int) -> Bool {
        var cursor = start
        var checksum: Int?
        while cursor < header.count {
            guard cursor + 3 <= header.count else { return false }
            let length = Int(header[cursor + 1]) << 8 | Int(header[cursor + 2])
            guard cursor + 3 + length <= header.count else { return false }
            if header[cursor] == checksumType {
                guard checksum == nil, length == 4 else { return false }
                checksum = cursor + 3
            }
            cursor += 3 + length
        }
        return checksum.map { isRight(header, checksumAt: $0) } ?? true
    }

    /// PP2_TYPE_CRC32C (§2.2.3).
    private static let checksumType: UInt8 = 0x03

    private static func isRight(_ header: Span<UInt8>, checksumAt offset: Int) -> Bool {
        var sum = UInt32.max
        var told: UInt32 = 0
        for index in 0..<header.count {
            // It is taken over the header with zeros in its own place.
            let isOwn = (offset..<(offset + 4)).contains(index)
            if isOwn { told = told << 8 | UInt32(header[index]) }
            sum ^= isOwn ? 0 : UInt32(header[index])
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 0 ? 0 : castagnoli) }
        }
        return ~sum == told
    }

    /// The polynomial of CRC32C, its bits in reverse (RFC 3720 appendix B.4).
    private static let castagnoli: UInt32 = 0x82F6_3B78
}
