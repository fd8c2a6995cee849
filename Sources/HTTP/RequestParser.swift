/// Parses a request head strictly (RFC 9112): what could be read in two ways is refused.
///
/// Wherever it looks, the bytes go on to a CR LF CR LF or, for a line of a head that has not come whole, to a CR with
/// another byte behind it: none of the sets has CR, so that no loop below can leave the bytes.
enum RequestParser {
    /// Parses the head at an offset; the offset after it.
    static func parse(
        _ bytes: Span<UInt8>,
        from start: Int,
        limits: RequestLimits,
        into head: inout RequestHead
    ) throws(Rejection) -> Int {
        head.reset()
        var cursor = start
        try parseRequestLine(bytes, &cursor, limits: limits, into: &head)
        var semantics = FieldSemantics()
        var count = 0
        while bytes[unchecked: cursor] != 0x0D {
            let (field, end) = try parseField(bytes, at: cursor)
            cursor = end
            count += 1
            guard count <= limits.fields else { throw .headTooLarge }
            guard field.name != .other else { continue }
            head.append(field)
            try semantics.take(field, bytes, into: &head)
        }
        guard bytes[cursor + 1] == 0x0A else { throw .malformedField }
        try semantics.finish(into: &head, limits: limits)
        return cursor + 2
    }

    /// Parses the request line at an offset, which is moved behind it.
    static func parseRequestLine(
        _ bytes: Span<UInt8>,
        _ cursor: inout Int,
        limits: RequestLimits,
        into head: inout RequestHead
    ) throws(Rejection) {
        let methodStart = cursor
        while ByteSet.token.contains(bytes[unchecked: cursor]) { cursor += 1 }
        guard cursor > methodStart, bytes[cursor] == 0x20 else { throw .malformedRequestLine }
        let method = ByteRange(methodStart, cursor)
        cursor += 1
        let targetStart = cursor
        RequestTarget.takePath(bytes, &cursor, into: &head)
        let pathEnd = cursor
        while bytes[cursor] > 0x20, bytes[cursor] != 0x7F { cursor += 1 }
        head.target = ByteRange(targetStart, cursor)
        guard bytes[cursor] == 0x20 else { throw .malformedRequestLine }
        cursor += 1
        head.version = try parseVersion(bytes, &cursor)
        guard Int(head.target.length) <= limits.target else { throw .targetTooLong }
        guard let known = Method.parse(bytes, method) else { throw .unknownMethod }
        head.method = known
        try RequestTarget.parse(bytes, pathEnd: pathEnd, into: &head)
    }

    private static func parseVersion(_ bytes: Span<UInt8>, _ cursor: inout Int) throws(Rejection) -> Version {
        let name: StaticString = "HTTP/"
        guard cursor + 10 <= bytes.count else { throw .malformedRequestLine }
        for index in 0..<name.utf8CodeUnitCount {
            guard bytes[unchecked: cursor + index] == name.utf8Start[index] else { throw .malformedRequestLine }
        }
        let major = bytes[unchecked: cursor + 5]
        let minor = bytes[unchecked: cursor + 7]
        guard isDigit(major), bytes[unchecked: cursor + 6] == UInt8(ascii: "."), isDigit(minor),
            bytes[unchecked: cursor + 8] == 0x0D, bytes[unchecked: cursor + 9] == 0x0A
        else { throw .malformedRequestLine }
        cursor += 10
        guard major == UInt8(ascii: "1") else { throw .unsupportedVersion }
        return minor == UInt8(ascii: "0") ? .http10 : .http11
    }

    /// The field line at an offset; the offset after it.
    @inline(__always)
    static func parseField(_ bytes: Span<UInt8>, at start: Int) throws(Rejection) -> (field: Field, end: Int) {
        var nameEnd = start
        while ByteSet.token.contains(bytes[unchecked: nameEnd]) { nameEnd += 1 }
        guard nameEnd > start, bytes[unchecked: nameEnd] == UInt8(ascii: ":") else { throw .malformedField }
        let valueEnd = bytes.endOfValue(from: nameEnd + 1)
        guard bytes[unchecked: valueEnd] == 0x0D, bytes[unchecked: valueEnd + 1] == 0x0A else {
            throw .malformedFieldValue
        }
        let name = FieldName.parse(bytes, ByteRange(start, nameEnd))
        return (Field(name: name, value: bytes.trimmed(nameEnd + 1, valueEnd)), valueEnd + 2)
    }
}

extension Span<UInt8> {
    /// Where a field value ends, passing eight bytes at a time while none of them is a control character.
    @inline(__always)
    fileprivate func endOfValue(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var cursor = start
        while cursor + 8 <= count {
            let word = self.word(at: cursor)
            let deleted = word ^ (ones &* 0x7F)
            let controls = (word &- ones &* 0x20) & ~word | (deleted &- ones) & ~deleted
            guard controls & (ones &* 0x80) == 0 else { break }
            cursor += 8
        }
        while ByteSet.value.contains(self[unchecked: cursor]) { cursor += 1 }
        return cursor
    }
}
