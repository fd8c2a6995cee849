/// A range of addresses that share their first bits, as `10.0.0.0/8` or `2001:db8::/32` (RFC 4632 §3.1, RFC 4291 §2.3).
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    /// The range's first address; all bits after the prefix are 0.
    public let first: SocketAddress
    /// The number of bits that all its addresses share: 0 to 32, or to 128.
    public let prefix: Int

    /// Why a text is no range.
    public enum Defect: Error, Equatable {
        /// Not an address, or not a number after the slash; names too.
        case malformed
        /// More bits than the address has.
        case prefixTooLong(most: Int)
        /// Bits after the prefix are set: the range that was meant may be this one.
        case bitsAfterPrefix(AddressRange)
    }

    /// A range from its text; an address without a slash is a range of one.
    public init(_ text: String) throws(Defect) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let literal = parts.first.map({ String(decoding: $0, as: UTF8.self) }),
            let address = SocketAddress(literal: literal, port: 0)
        else { throw .malformed }
        let most = address.bytes.count * 8
        // A mapped address is kept as IPv4, and its prefix would count other bits.
        guard parts.count == 1 || most == 128 || !literal.utf8.contains(UInt8(ascii: ":")) else { throw .malformed }
        let prefix = parts.count == 1 ? most : try Self.number(parts[1])
        guard prefix <= most else { throw .prefixTooLong(most: most) }
        guard let first = Self.masked(address, prefix) else { throw .malformed }
        self.init(first: first, prefix: prefix)
        if first != address { throw .bitsAfterPrefix(self) }
    }

    private init(first: SocketAddress, prefix: Int) {
        self.first = first
        self.prefix = prefix
    }

    /// Whether the address, whatever its port, is one of the range's.
    public func contains(_ address: SocketAddress) -> Bool {
        let (own, other) = (first.bytes, address.bytes)
        guard own.count == other.count else { return false }
        let whole = prefix / 8
        guard own[..<whole] == other[..<whole] else { return false }
        let rest = prefix % 8
        return rest == 0 || (own[whole] ^ other[whole]) >> (8 - rest) == 0
    }

    /// Whether it is of IPv4.
    public var isIPv4: Bool { first.bytes.count == 4 }

    /// `10.0.0.0/8`.
    public var description: String { "\(first.host)/\(prefix)" }

    /// At most three digits, without a sign and without a zero before others.
    private static func number(_ digits: Substring.UTF8View) throws(Defect) -> Int {
        guard (1...3).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
            throw .malformed
        }
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { throw .malformed }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }

    private static func masked(_ address: SocketAddress, _ prefix: Int) -> SocketAddress? {
        let bytes = address.bytes.enumerated().map { index, byte in
            let kept = max(0, min(8, prefix - index * 8))
            return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
        return SocketAddress(bytes: bytes.span, port: 0)
    }
}
