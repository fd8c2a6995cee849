/// Takes a request target apart (RFC 9112 §3.2).
enum RequestTarget {
    static func parse(_ bytes: Span<UInt8>, into head: inout RequestHead) throws(Rejection) {
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
            try parsePath(bytes, from: Int(target.start), to: target.end, into: &head)
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
        try parsePath(bytes, from: authorityEnd, to: target.end, into: &head)
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

    private static func parsePath(
        _ bytes: Span<UInt8>,
        from start: Int,
        to end: Int,
        into head: inout RequestHead
    ) throws(Rejection) {
        var cursor = start
        var previous: UInt8 = 0
        while cursor < end, ByteSet.path.contains(bytes[cursor]) {
            let byte = bytes[cursor]
            let opensDotSegment = byte == UInt8(ascii: ".") && previous == UInt8(ascii: "/")
            if byte == UInt8(ascii: "%") || opensDotSegment { head.pathNeedsDecoding = true }
            previous = byte
            cursor += 1
        }
        head.path = ByteRange(start, cursor)
        guard cursor < end else { return }
        guard bytes[cursor] == UInt8(ascii: "?") else { throw .malformedTarget }
        cursor += 1
        while cursor < end, ByteSet.query.contains(bytes[cursor]) { cursor += 1 }
        guard cursor == end else { throw .malformedTarget }
    }
}
