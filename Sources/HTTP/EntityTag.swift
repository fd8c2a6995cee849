/// Comparison of If-None-Match with an entity tag (RFC 9110 §13.1.2).
public enum EntityTag {
    /// Whether a field value has `*` or a tag that weakly equals `tag`; what is no entity tag equals nothing.
    ///
    /// - Parameter tag: a strong tag with its quotes.
    public static func matches(_ bytes: Span<UInt8>, _ value: ByteRange, tag: UnsafeBufferPointer<UInt8>) -> Bool {
        if equals(bytes, value, tag) { return true }
        if value.length == 1, bytes[Int(value.start)] == UInt8(ascii: "*") { return true }
        var found = false
        bytes.forEachElement(of: value) { element in
            found = equals(bytes, opaqueTag(bytes, element), tag)
            return !found
        }
        return found
    }

    /// The element without `W/`: If-None-Match compares weakly.
    private static func opaqueTag(_ bytes: Span<UInt8>, _ element: ByteRange) -> ByteRange {
        let start = Int(element.start)
        guard element.length >= 4, bytes[start] == UInt8(ascii: "W"), bytes[start + 1] == UInt8(ascii: "/") else {
            return element
        }
        return ByteRange(start + 2, element.end)
    }

    private static func equals(_ bytes: Span<UInt8>, _ range: ByteRange, _ tag: UnsafeBufferPointer<UInt8>) -> Bool {
        guard Int(range.length) == tag.count else { return false }
        for index in 0..<tag.count where bytes[Int(range.start) + index] != tag[index] { return false }
        return true
    }
}
