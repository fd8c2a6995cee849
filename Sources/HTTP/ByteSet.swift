/// A set of ASCII bytes as two words, so that membership is a shift and a mask.
struct ByteSet: Sendable {
    let low: UInt64
    let high: UInt64

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return false }
        return (byte < 0x40 ? low : high) &>> UInt64(byte & 0x3F) & 1 == 1
    }

    /// `tchar` (RFC 9110 §5.6.2).
    static let token = ByteSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    /// `pchar`, `/` and `%` (RFC 3986 §3.3).
    static let path = ByteSet(low: 0x2FFF_FFF2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
    /// All visible characters but `#`: browsers send more in a query than RFC 3986 §3.4 has (WHATWG URL, query percent-encode set).
    static let query = ByteSet(low: 0xFFFF_FFF6_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF)
    /// `reg-name` (RFC 3986 §3.2.2) without `%`, which could hide another host, and `,`, which could join two.
    static let host = ByteSet(low: 0x2BFF_6FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
}

/// Whether a byte may stand in a field value: `field-vchar`, space or tab (RFC 9110 §5.5).
@inline(__always)
func isValueByte(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 0x09
}
