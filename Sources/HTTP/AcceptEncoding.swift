/// Choice of a content coding (RFC 9110 §12.5.3); weights are in thousandths.
public struct AcceptEncoding: Sendable {
    private var gzip: Int?
    private var identity: Int?
    private var any: Int?

    /// Whether gzip is acceptable and wanted at least as much as no coding.
    public static func prefersGzip(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> Bool {
        var choice = AcceptEncoding()
        _ = head.anyValue(of: .acceptEncoding) { value in
            bytes.forEachElement(of: value) { choice.take($0, bytes) }
            return false
        }
        return choice.prefersGzip
    }

    private var prefersGzip: Bool {
        let gzip = self.gzip ?? any ?? 0
        // No coding is acceptable unless refused, but only a weight of its own or of `*` makes it wanted.
        return gzip > 0 && gzip >= identity ?? any ?? 0
    }

    private mutating func take(_ element: ByteRange, _ bytes: Span<UInt8>) {
        var nameEnd = Int(element.start)
        while nameEnd < element.end, bytes[nameEnd] != UInt8(ascii: ";") { nameEnd += 1 }
        let name = bytes.trimmed(Int(element.start), nameEnd)
        guard let weight = weight(bytes, from: nameEnd, to: element.end) else { return }
        if bytes.matches(name, "gzip") || bytes.matches(name, "x-gzip") {
            gzip = weight
        } else if bytes.matches(name, "identity") {
            identity = weight
        } else if bytes.matches(name, "*") {
            any = weight
        }
    }

    /// The thousandths of `;q=0.123` (RFC 9110 §12.4.2), 1,000 without one; nil for what is no weight.
    private func weight(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        guard start < end else { return 1_000 }
        let parameter = bytes.trimmed(start + 1, end)
        let first = Int(parameter.start)
        guard (3...7).contains(parameter.length), asciiLowercased(bytes[first]) == UInt8(ascii: "q"),
            bytes[first + 1] == UInt8(ascii: "="), bytes[first + 2] & 0xFE == UInt8(ascii: "0")
        else { return nil }
        var value = Int(bytes[first + 2] & 1) * 1_000
        guard parameter.length > 3 else { return value }
        guard bytes[first + 3] == UInt8(ascii: ".") else { return nil }
        var unit = 100
        for index in (first + 4)..<parameter.end {
            guard isDigit(bytes[index]) else { return nil }
            value += Int(bytes[index] &- 0x30) * unit
            unit /= 10
        }
        return value <= 1_000 ? value : nil
    }
}
