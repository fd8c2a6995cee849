/// Takes a request target apart (RFC 9112 §3.2).
enum RequestTarget {
    /// - Parameter pathEnd: where ``takePath(_:_:into:)`` came to from the target's start.
    static func parse(_ bytes: Span<UInt8>, pathEnd: Int, into head: inout RequestHead) throws(Rejection) {
        let target = head.target
        guard !target.isEmpty else { throw .malformedTarget }
        if head.method == .connect {
            head.form = .authority
            // RFC 9112 §3.2.3: here, unlike anywhere else, the port is required.
            guard let host = Authority.parse(bytes, target), host.end + 1 < target.end else { throw .malformedTarget }
            return
        }
        switch bytes[Int(target.start)] {
        case UInt8(ascii: "/"):
            guard pathEnd == target.end else { throw .malformedTarget }
        case UInt8(ascii: "*"):
            guard target.length == 1, head.method == .options else { throw .malformedTarget }
            head.form = .asterisk
        default:
            try parseAbsolute(bytes, into: &head)
        }
    }

    private static func parseAbsolute(_ bytes: Span<UInt8>, into head: inout RequestHead) throws(Rejection) {
        head.form = .absolute
        let target = head.target
        guard let authorityStart = schemeEnd(bytes, target) else { throw .malformedTarget }
        var authorityEnd = authorityStart
        while authorityEnd < target.end, !isAuthorityEnd(bytes[authorityEnd]) { authorityEnd += 1 }
        guard let host = Authority.parse(bytes, ByteRange(authorityStart, authorityEnd)) else { throw .malformedTarget }
        head.host = host
        head.isForSecureOrigin = authorityStart - Int(target.start) == "https://".utf8.count
        takePath(bytes, &authorityEnd, into: &head)
        guard authorityEnd == target.end else { throw .malformedTarget }
    }

    private static func schemeEnd(_ bytes: Span<UInt8>, _ target: ByteRange) -> Int? {
        let start = Int(target.start)
        for scheme: StaticString in ["https://", "http://"] {
            let end = start + scheme.utf8CodeUnitCount
            if end <= target.end, bytes.matches(ByteRange(start, end), scheme) { return end }
        }
        return nil
    }

    private static func isAuthorityEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Moves over a path and its query as far as they are well-formed; a path that does not begin with `/` is empty.
    static func takePath(_ bytes: Span<UInt8>, _ cursor: inout Int, into head: inout RequestHead) {
        let start = cursor
        var end = start
        if bytes[start] == UInt8(ascii: "/") { (end, head.pathNeedsDecoding) = pathEnd(bytes, from: start) }
        head.path = ByteRange(start, end)
        if bytes[end] == UInt8(ascii: "?"), end > start || head.form == .absolute {
            end += 1
            while ByteSet.query.contains(bytes[unchecked: end]) { end += 1 }
        }
        cursor = end
    }

    /// Where a path ends, and whether it has what must be decoded, or a segment that begins with a dot.
    @inline(__always)
    private static func pathEnd(_ bytes: Span<UInt8>, from start: Int) -> (end: Int, needsDecoding: Bool) {
        var end = start
        var needsDecoding = false
        while true {
            while ByteSet.plainPath.contains(bytes[unchecked: end]) { end += 1 }
            switch bytes[unchecked: end] {
            case UInt8(ascii: "."): needsDecoding = needsDecoding || bytes[end - 1] == UInt8(ascii: "/")
            case UInt8(ascii: "%"): needsDecoding = true
            default: return (end, needsDecoding)
            }
            end += 1
        }
    }
}
