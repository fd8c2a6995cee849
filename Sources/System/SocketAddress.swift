internal import Glibc

/// An IPv4 or IPv6 address with a port.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address alone: 4 bytes, or 16; an IPv4 address mapped into IPv6 is its 4 bytes.
    public let bytes: [UInt8]
    /// The port.
    public let port: UInt16

    /// An address from a literal, as `127.0.0.1` or `::1`; nil for anything else, names too.
    public init?(literal: String, port: UInt16) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, literal, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, literal, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Self.unmapped($0) }
        } else {
            return nil
        }
        self.port = port
    }

    /// An address from its 4 or 16 bytes in the order of the network; nil for another number of bytes.
    public init?(bytes: Span<UInt8>, port: UInt16) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes.withUnsafeBytes { Self.unmapped($0) }
        self.port = port
    }

    init(storage: inout sockaddr_storage) {
        let isSix = storage.ss_family == sa_family_t(AF_INET6)
        (bytes, port) = withUnsafeBytes(of: &storage) { raw in
            let port = UInt16(raw[2]) << 8 | UInt16(raw[3])
            guard isSix else { return (Array(raw[4..<8]), port) }
            return (Self.unmapped(UnsafeRawBufferPointer(rebasing: raw[8..<24])), port)
        }
    }

    /// An IPv4 address that is mapped into IPv6 (RFC 4291 §2.5.5.2) is the same client's, so it is the same address.
    private static func unmapped(_ address: UnsafeRawBufferPointer) -> [UInt8] {
        let isMapped =
            address.count == 16 && address[..<10].allSatisfy { $0 == 0 } && address[10] == 0xFF && address[11] == 0xFF
        return Array(isMapped ? address[12...] : address[...])
    }

    var family: CInt { bytes.count == 4 ? AF_INET : AF_INET6 }

    /// What one client has: an IPv4 address, or the first half of an IPv6 one, since a subscriber has all of its /64.
    public var network: ArraySlice<UInt8> { bytes.prefix(8) }

    /// Whether it can be reached from this machine alone (127.0.0.0/8, `::1`).
    public var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// The address without its port, as text.
    public var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        let end = text.firstIndex(of: 0) ?? text.endIndex
        return String(decoding: text[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// `127.0.0.1:8443` or `[::1]:8443`.
    public var description: String {
        bytes.count == 4 ? "\(host):\(port)" : "[\(host)]:\(port)"
    }

    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        storage.ss_family = sa_family_t(family)
        let offset = bytes.count == 4 ? 4 : 8
        withUnsafeMutableBytes(of: &storage) { raw in
            raw[2] = UInt8(port >> 8)
            raw[3] = UInt8(port & 0xFF)
            raw[offset..<(offset + bytes.count)].copyBytes(from: bytes)
        }
        let length = bytes.count == 4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}
