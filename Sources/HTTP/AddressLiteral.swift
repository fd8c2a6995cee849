/// Recognizes addresses written as text (RFC 3986 §3.2.2).
enum AddressLiteral {
    /// Whether the part is an IPv6 address: eight groups, or fewer with one `::`; the last two may be an IPv4 address.
    static func isIPv6(_ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        var cursor = Int(range.start)
        var groups = 0
        var hasGap = takeGap(bytes, &cursor, to: range.end)
        while cursor < range.end {
            let start = cursor
            while cursor < range.end, hexadecimalValue(bytes[cursor]) != nil { cursor += 1 }
            if cursor < range.end, bytes[cursor] == UInt8(ascii: ".") {
                guard isIPv4(bytes, ByteRange(start, range.end)) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(cursor - start) else { return false }
            groups += 1
            if cursor == range.end { break }
            if takeGap(bytes, &cursor, to: range.end) {
                guard !hasGap else { return false }
                hasGap = true
            } else {
                guard bytes[cursor] == UInt8(ascii: ":"), cursor + 1 < range.end else { return false }
                cursor += 1
            }
        }
        return hasGap ? groups < 8 : groups == 8
    }

    private static func takeGap(_ bytes: Span<UInt8>, _ cursor: inout Int, to end: Int) -> Bool {
        guard cursor + 1 < end, bytes[cursor] == UInt8(ascii: ":"), bytes[cursor + 1] == UInt8(ascii: ":") else {
            return false
        }
        cursor += 2
        return true
    }

    /// Four numbers up to 255 without leading zeros.
    static func isIPv4(_ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        var cursor = Int(range.start)
        for place in 0..<4 {
            let start = cursor
            var value = 0
            while cursor < range.end, cursor - start < 3, isDigit(bytes[cursor]) {
                value = value * 10 + Int(bytes[cursor] &- 0x30)
                cursor += 1
            }
            guard cursor > start, value <= 255, cursor - start == 1 || bytes[start] != UInt8(ascii: "0") else {
                return false
            }
            guard place < 3 else { break }
            guard cursor < range.end, bytes[cursor] == UInt8(ascii: ".") else { return false }
            cursor += 1
        }
        return cursor == range.end
    }
}
