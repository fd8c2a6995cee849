// Files and headers are judged by bytes: Swift's String calls the KELVIN SIGN and "K" equal, and a line end one Character.

extension UInt8 {
    var isLowercaseLetter: Bool { (0x61...0x7A).contains(self) }
    var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isHexadecimalDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
    /// The white space of HTML: space, tab, line feed, form feed, carriage return.
    var isHTMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D }
    /// The letter in lower case, anything else as it is; ASCII alone.
    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension String {
    /// Whether both are the same bytes, which `==` does not ask.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The order of bytes, the same in every process and locale.
    func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension Collection where Element == UInt8 {
    func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { starts(with: $0) }
    }

    func equals(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { elementsEqual($0) }
    }

    /// The same bytes with ASCII letters in lower case.
    var lowercased: [UInt8] { map(\.lowercased) }
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
    /// Where `text` begins first, ASCII letters in either case; `text` is given in lower case.
    func firstRange(ofLowercased text: StaticString, from start: Int? = nil) -> Range<Int>? {
        text.withUTF8Buffer { needle in
            guard let first = needle.first, count >= needle.count else { return nil }
            var index = start ?? startIndex
            while index <= endIndex - needle.count {
                if self[index].lowercased == first,
                    needle.indices.allSatisfy({ self[index + $0].lowercased == needle[$0] })
                {
                    return index..<(index + needle.count)
                }
                index += 1
            }
            return nil
        }
    }
}
