internal import HTTP

/// Writes what came from outside into a line of a log, so that it can neither end the line nor forge another.
enum LogText {
    /// Appends a text as the inside of a JSON string: bytes that are no UTF-8 become U+FFFD, and what a terminal acts on is
    /// escaped.
    ///
    /// - Parameter limit: the most bytes that are appended; what is longer is cut before it.
    static func appendJSON(_ text: ArraySlice<UInt8>, limit: Int, to line: inout [UInt8]) {
        let end = line.count + limit
        // Nearly always nothing needs an escape, and to ask costs less.
        if text.count <= limit, text.allSatisfy({ 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }) {
            line += text
            return
        }
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            let escaped = json(scalar)
            guard line.count + escaped.count <= end else { return }
            line += escaped
        }
    }

    /// Appends a text as Apache and nginx do between quotes: `\xHH` for what is not printable ASCII, and for `"` and `\`.
    static func appendCombined(_ text: ArraySlice<UInt8>, limit: Int, to line: inout [UInt8]) {
        let end = line.count + limit
        for byte in text {
            let isPlain = 0x20...0x7E ~= byte && byte != 0x22 && byte != 0x5C
            guard line.count + (isPlain ? 1 : 4) <= end else { return }
            if isPlain { line.append(byte) } else { line += [0x5C, 0x78, digit(byte >> 4), digit(byte & 15)] }
        }
    }

    private static func json(_ scalar: Unicode.Scalar) -> [UInt8] {
        switch scalar.value {
        case 0x22: [0x5C, 0x22]
        case 0x5C: [0x5C, 0x5C]
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
            [0x5C, 0x75] + [12, 8, 4, 0].map { digit(UInt8(scalar.value >> $0 & 15)) }
        default: Array(String(scalar).utf8)
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 - 10 + value }

    /// A URL without its user, query and fragment.
    static func withoutSecrets(_ url: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = url.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.endIndex
        let kept = url[..<end]
        // Where a user stands nobody writes one but by mistake: nothing of such a URL is kept.
        return kept.contains(UInt8(ascii: "@")) ? [] : kept
    }
}
