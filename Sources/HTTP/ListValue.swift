extension Span<UInt8> {
    /// Calls `body` with each element of a comma-separated list of tokens (RFC 9110 §5.6.1), empty ones left out.
    @inline(__always)
    func forEachElement(of range: ByteRange, _ body: (ByteRange) -> Void) {
        var start = Int(range.start)
        for cursor in start...range.end where cursor == range.end || self[cursor] == UInt8(ascii: ",") {
            let element = trimmed(start, cursor)
            if !element.isEmpty { body(element) }
            start = cursor + 1
        }
    }
}
