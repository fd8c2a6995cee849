/// Takes `host[:port]` apart (RFC 3986 §3.2 without user information, which HTTP forbids).
enum Authority {
    /// The host's bytes, without the port; nil if it is no host or the port no port.
    static func parse(_ bytes: Span<UInt8>, _ range: ByteRange) -> ByteRange? {
        guard !range.isEmpty else { return nil }
        let start = Int(range.start)
        var cursor = start
        if bytes[cursor] == UInt8(ascii: "[") {
            while cursor < range.end, bytes[cursor] != UInt8(ascii: "]") { cursor += 1 }
            guard cursor < range.end, AddressLiteral.isIPv6(bytes, ByteRange(start + 1, cursor)) else { return nil }
            cursor += 1
        } else {
            while cursor < range.end, ByteSet.host.contains(bytes[cursor]) { cursor += 1 }
            guard cursor > start else { return nil }
        }
        guard cursor == range.end || isPort(bytes, from: cursor, to: range.end) else { return nil }
        return ByteRange(start, cursor)
    }

    /// `:` and at most five digits up to 65535; RFC 3986 lets the digits be missing.
    private static func isPort(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: ":"), end - start <= 6 else { return false }
        var value = 0
        for index in (start + 1)..<end {
            guard isDigit(bytes[index]) else { return false }
            value = value * 10 + Int(bytes[index] &- 0x30)
        }
        return value <= 65_535
    }
}
