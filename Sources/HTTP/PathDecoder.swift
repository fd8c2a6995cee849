/// Decodes a path once, and refuses what could mean another path to someone else.
public enum PathDecoder {
    /// The decoded path, or nil for a malformed or evasive one.
    ///
    /// Refused are bad hexadecimal digits, NUL and other control characters, an encoded slash or backslash, dot segments
    /// in any form, and bytes that are not UTF-8.
    public static func decode(_ bytes: Span<UInt8>, _ range: ByteRange) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(Int(range.length))
        var cursor = Int(range.start)
        while cursor < range.end {
            var byte = bytes[cursor]
            cursor += 1
            if byte == UInt8(ascii: "%") {
                guard cursor + 1 < range.end, let high = hexadecimalValue(bytes[cursor]),
                    let low = hexadecimalValue(bytes[cursor + 1])
                else { return nil }
                byte = high << 4 | low
                cursor += 2
                guard byte >= 0x20, byte != 0x7F, byte != UInt8(ascii: "/") else { return nil }
            }
            guard byte != UInt8(ascii: "\\") else { return nil }
            decoded.append(byte)
        }
        guard !hasDotSegment(decoded), isUTF8(decoded) else { return nil }
        return decoded
    }

    private static func hasDotSegment(_ path: [UInt8]) -> Bool {
        path.split(separator: UInt8(ascii: "/")).contains { segment in
            segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") }
        }
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }
}

/// The value of a hexadecimal digit.
@inline(__always)
func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
