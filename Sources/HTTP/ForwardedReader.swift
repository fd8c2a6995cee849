/// Reads one value of Forwarded (RFC 7239 §4): elements with commas between them, each of pairs with semicolons.
///
/// After an error nothing says where an element ends, since the error may be an open quote: the whole value is then one
/// malformed hop.
struct ForwardedReader {
    var cursor: Int
    let end: Int

    private struct Malformed: Error {}

    /// An element as far as it was read.
    private struct Element {
        var node: ForwardedHop.Node?
        var scheme: ByteRange?
        var isEmpty = true
    }

    mutating func read(_ bytes: Span<UInt8>) -> [ForwardedHop] {
        var hops: [ForwardedHop] = []
        do throws(Malformed) {
            while true {
                let element = try readElement(bytes)
                if !element.isEmpty {
                    let isSecure = element.scheme.flatMap { ForwardedFields.isSecure(bytes, $0) }
                    hops.append(ForwardedHop(element.node ?? .hidden, isSecure: isSecure))
                }
                guard cursor < end else { return hops }
                cursor += 1
            }
        } catch {
            return [ForwardedHop(.malformed)]
        }
    }

    /// One element up to its comma; empty ones are passed over (RFC 9110 §5.6.1).
    private mutating func readElement(_ bytes: Span<UInt8>) throws(Malformed) -> Element {
        var element = Element()
        while true {
            skipBlanks(bytes)
            if cursor < end, bytes[cursor] != UInt8(ascii: ";"), bytes[cursor] != UInt8(ascii: ",") {
                try readPair(bytes, into: &element)
                skipBlanks(bytes)
            }
            guard cursor < end, bytes[cursor] != UInt8(ascii: ",") else { return element }
            guard bytes[cursor] == UInt8(ascii: ";") else { throw Malformed() }
            cursor += 1
        }
    }

    /// One pair; no name may come twice, which matters for those that are read.
    private mutating func readPair(_ bytes: Span<UInt8>, into element: inout Element) throws(Malformed) {
        guard let name = readToken(bytes), cursor < end, bytes[cursor] == UInt8(ascii: "=") else { throw Malformed() }
        cursor += 1
        let isQuoted = cursor < end && bytes[cursor] == UInt8(ascii: "\"")
        guard let value = isQuoted ? readQuoted(bytes) : readToken(bytes) else { throw Malformed() }
        element.isEmpty = false
        if bytes.matches(name, "for") {
            guard element.node == nil else { throw Malformed() }
            element.node = ForwardedFields.node(bytes, value)
        } else if bytes.matches(name, "proto") {
            guard element.scheme == nil else { throw Malformed() }
            element.scheme = value
        }
    }

    private mutating func readToken(_ bytes: Span<UInt8>) -> ByteRange? {
        let start = cursor
        while cursor < end, ByteSet.token.contains(bytes[cursor]) { cursor += 1 }
        return cursor > start ? ByteRange(start, cursor) : nil
    }

    /// What stands between the quotes, with its backslashes: no address and no scheme needs one.
    private mutating func readQuoted(_ bytes: Span<UInt8>) -> ByteRange? {
        let start = cursor + 1
        cursor = start
        while cursor < end, bytes[cursor] != UInt8(ascii: "\"") {
            cursor += bytes[cursor] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard cursor < end else { return nil }
        cursor += 1
        return ByteRange(start, cursor - 1)
    }

    private mutating func skipBlanks(_ bytes: Span<UInt8>) {
        while cursor < end, isBlank(bytes[cursor]) { cursor += 1 }
    }
}
