/// Comparison of If-Match and If-None-Match with an entity tag (RFC 9110 §13.1).
public enum EntityTag {
    /// How tags are compared (RFC 9110 §8.8.3.2).
    public enum Comparison: Sendable {
        /// A weak tag equals nothing, as If-Match has it.
        case strong
        /// Weakness counts for nothing, as If-None-Match has it.
        case weak
    }

    /// Whether a field value has `*` or a tag that equals `tag`; what is no entity tag equals nothing.
    ///
    /// - Parameter tag: a strong tag with its quotes.
    public static func matches(
        _ bytes: Span<UInt8>,
        _ value: ByteRange,
        tag: UnsafeBufferPointer<UInt8>,
        _ comparison: Comparison
    ) -> Bool {
        if bytes.equals(value, tag) { return true }
        if value.length == 1, bytes[Int(value.start)] == UInt8(ascii: "*") { return true }
        var cursor = Int(value.start)
        while let next = nextTag(bytes, &cursor, to: value.end) {
            if comparison == .weak || !next.isWeak, bytes.equals(next.opaque, tag) { return true }
        }
        return false
    }

    /// The next tag of a list, with `W/` taken off; nil where no further tag stands.
    ///
    /// A comma may be part of a tag, and a backslash in one escapes nothing.
    private static func nextTag(
        _ bytes: Span<UInt8>,
        _ cursor: inout Int,
        to end: Int
    ) -> (opaque: ByteRange, isWeak: Bool)? {
        while cursor < end, isBlank(bytes[cursor]) || bytes[cursor] == UInt8(ascii: ",") { cursor += 1 }
        let isWeak = cursor + 1 < end && bytes[cursor] == UInt8(ascii: "W") && bytes[cursor + 1] == UInt8(ascii: "/")
        if isWeak { cursor += 2 }
        let start = cursor
        guard cursor < end, bytes[cursor] == UInt8(ascii: "\"") else { return nil }
        cursor += 1
        while cursor < end, isTagByte(bytes[cursor]) { cursor += 1 }
        guard cursor < end, bytes[cursor] == UInt8(ascii: "\"") else { return nil }
        cursor += 1
        let tag = ByteRange(start, cursor)
        while cursor < end, isBlank(bytes[cursor]) { cursor += 1 }
        return cursor == end || bytes[cursor] == UInt8(ascii: ",") ? (tag, isWeak) : nil
    }

    /// `etagc` (RFC 9110 §8.8.3).
    private static func isTagByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"")
    }
}
