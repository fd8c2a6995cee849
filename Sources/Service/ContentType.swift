internal import HTTP

/// The one media type that we read (RFC 9110 §8.3).
enum ContentType {
    /// Whether the content is JSON in UTF-8: `application/json`, with no parameter but `charset=utf-8`.
    static func isJSON(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> Bool {
        let values = head.values(of: .contentType)
        return values.count == 1 && isJSON(bytes.array(values[0]))
    }

    static func isJSON(_ value: [UInt8]) -> Bool {
        let parts = value.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(trimmed)
        guard matches(parts[0], "application/json") else { return false }
        return parts.dropFirst().allSatisfy { part in
            // An empty parameter is grammar's gift to sloppy writers (RFC 9110 §5.6.6).
            part.isEmpty || matches(part, "charset=utf-8") || matches(part, "charset=\"utf-8\"")
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let rest = bytes.drop(while: isBlank)
        return rest.prefix(rest.count - rest.reversed().prefix(while: isBlank).count)
    }

    private static func matches(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
        bytes.map(asciiLowercased).elementsEqual(text.utf8)
    }
}
