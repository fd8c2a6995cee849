extension Span<UInt8> {
    /// Calls `body` with each element of a comma-separated list (RFC 9110 §5.6.1), empty ones left out, until it returns false.
    ///
    /// A comma inside a quoted string is no separator.
    @inline(__always)
    func forEachElement(of range: ByteRange, _ body: (ByteRange) -> Bool) {
        var start = Int(range.start)
        var isQuoted = false
        var cursor = start
        while cursor <= range.end {
            let isEnd = cursor == range.end
            if !isEnd, self[cursor] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isEnd || (!isQuoted && self[cursor] == UInt8(ascii: ",")) {
                let element = trimmed(start, cursor)
                if !element.isEmpty, !body(element) { return }
                start = cursor + 1
            }
            cursor += 1
        }
    }

    /// How often `token` is an element of the list, and the list's last element.
    func countTokens(_ token: StaticString, in range: ByteRange) -> (count: Int, last: ByteRange) {
        var count = 0
        var last = ByteRange.empty
        forEachElement(of: range) { element in
            if matches(element, token) { count += 1 }
            last = element
            return true
        }
        return (count, last)
    }
}
