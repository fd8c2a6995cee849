/// Parses a whole request head strictly (RFC 9112): what could be read in two ways is refused.
enum RequestParser {
    static func parse(
        _ bytes: Span<UInt8>,
        _ range: ByteRange,
        limits: RequestLimits,
        into head: inout RequestHead
    ) -> Rejection? {
        head.reset()
        var cursor = Int(range.start)
        do throws(Rejection) {
            try parseRequestLine(bytes, &cursor, limits: limits, into: &head)
            var semantics = FieldSemantics()
            while bytes[cursor] != 0x0D {
                let field = try parseField(bytes, &cursor)
                guard head.fields.count < limits.fields else { return .headTooLarge }
                head.fields.append(field)
                try semantics.take(field, bytes, into: &head)
            }
            // The scanner found CRLF at every line's end; a CR that opens a line without LF is none.
            guard cursor + 2 == range.end else { return .malformedField }
            try semantics.finish(into: &head, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    /// Why the request line at an offset is refused, if it is, for a head that has not come whole.
    static func refusal(
        _ bytes: Span<UInt8>,
        ofLineAt start: Int,
        limits: RequestLimits,
        into head: inout RequestHead
    ) -> Rejection? {
        head.reset()
        var cursor = start
        do throws(Rejection) {
            try parseRequestLine(bytes, &cursor, limits: limits, into: &head)
            return nil
        } catch {
            return error
        }
    }

    private static func parseRequestLine(
        _ bytes: Span<UInt8>,
        _ cursor: inout Int,
        limits: RequestLimits,
        into head: inout RequestHead
    ) throws(Rejection) {
        let methodStart = cursor
        while ByteSet.token.contains(bytes[cursor]) { cursor += 1 }
        guard cursor > methodStart, bytes[cursor] == 0x20 else { throw .malformedRequestLine }
        let method = ByteRange(methodStart, cursor)
        cursor += 1
        let targetStart = cursor
        while bytes[cursor] > 0x20, bytes[cursor] != 0x7F { cursor += 1 }
        head.target = ByteRange(targetStart, cursor)
        guard bytes[cursor] == 0x20 else { throw .malformedRequestLine }
        cursor += 1
        head.version = try parseVersion(bytes, &cursor)
        guard Int(head.target.length) <= limits.target else { throw .targetTooLong }
        guard let known = Method.parse(bytes, method) else { throw .unknownMethod }
        head.method = known
        try RequestTarget.parse(bytes, into: &head)
    }

    private static func parseVersion(_ bytes: Span<UInt8>, _ cursor: inout Int) throws(Rejection) -> Version {
        let name: StaticString = "HTTP/"
        for index in 0..<name.utf8CodeUnitCount {
            guard bytes[cursor] == name.utf8Start[index] else { throw .malformedRequestLine }
            cursor += 1
        }
        // The line ends in CRLF, which no comparison below can step over.
        let major = bytes[cursor]
        guard isDigit(major), bytes[cursor + 1] == UInt8(ascii: ".") else { throw .malformedRequestLine }
        let minor = bytes[cursor + 2]
        guard isDigit(minor), bytes[cursor + 3] == 0x0D, bytes[cursor + 4] == 0x0A else { throw .malformedRequestLine }
        cursor += 5
        guard major == UInt8(ascii: "1") else { throw .unsupportedVersion }
        return minor == UInt8(ascii: "0") ? .http10 : .http11
    }

    private static func parseField(_ bytes: Span<UInt8>, _ cursor: inout Int) throws(Rejection) -> Field {
        // Every line of the head ends in CR LF, which is in none of the sets: the loops end inside of the bytes.
        let nameStart = cursor
        while ByteSet.token.contains(bytes[unchecked: cursor]) { cursor += 1 }
        guard cursor > nameStart, bytes[cursor] == UInt8(ascii: ":") else { throw .malformedField }
        let name = ByteRange(nameStart, cursor)
        cursor += 1
        let valueStart = cursor
        while isValueByte(bytes[unchecked: cursor]) { cursor += 1 }
        guard bytes[cursor] == 0x0D, bytes[cursor + 1] == 0x0A else { throw .malformedFieldValue }
        let value = bytes.trimmed(valueStart, cursor)
        cursor += 2
        return Field(name: FieldName.parse(bytes, name), value: value)
    }
}
