internal import Glibc

/// Writes JSON with names sorted by their bytes: the same value is the same text in every process.
///
/// `<`, `>`, `&`, U+2028 and U+2029 are written as `\uXXXX`, so that the text is also safe inside an HTML
/// `script` element and in JavaScript source.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let indentation: String?
    private var depth = 0

    init(indentation: String? = nil) {
        self.indentation = indentation
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .number(let text): append(text)
        case .string(let text): writeString(text)
        case .array(let elements):
            writeList(elements, open: "[", close: "]") { writer, element in writer.write(element) }
        case .object(let members):
            let sorted = members.sorted { Self.precedes($0.name, $1.name) }
            writeList(sorted, open: "{", close: "}") { writer, member in
                writer.writeString(member.name)
                writer.append(writer.indentation == nil ? ":" : ": ")
                writer.write(member.value)
            }
        }
    }

    /// By bytes; Swift's own order of strings is another beyond ASCII.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                let count = min(left.count, right.count)
                guard let one = left.baseAddress, let other = right.baseAddress, count > 0 else {
                    return left.count < right.count
                }
                let order = memcmp(one, other, count)
                return order == 0 ? left.count < right.count : order < 0
            }
        }
    }

    private mutating func writeList<Element>(
        _ elements: [Element],
        open: String,
        close: String,
        writeElement: (inout JSONWriter, Element) -> Void
    ) {
        append(open)
        depth += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { append(",") }
            breakLine()
            writeElement(&self, element)
        }
        depth -= 1
        if !elements.isEmpty { breakLine() }
        append(close)
    }

    private mutating func breakLine() {
        guard let indentation else { return }
        append("\n")
        for _ in 0..<depth { append(indentation) }
    }

    private mutating func writeString(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var runStart = 0
            var index = 0
            while index < utf8.count {
                let length = Self.isPlain(utf8[index]) ? 0 : Self.escapedLength(utf8[index...])
                guard length > 0 else {
                    index += 1
                    continue
                }
                bytes.append(contentsOf: utf8[runStart..<index])
                writeEscape(utf8[index..<(index + length)])
                index += length
                runStart = index
            }
            bytes.append(contentsOf: utf8[runStart...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a byte stands for itself wherever it is; nearly all do, and are told by a look at each.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, 0x22, 0x26, 0x3C, 0x3E, 0x5C, 0x7F, 0xE2: false
        default: true
        }
    }

    /// How many bytes of a scalar that can't stand as it is begin here; mostly none.
    private static func escapedLength(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        switch rest[rest.startIndex] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): 1
        case 0..<0x20, 0x7F: 1
        case 0xE2: rest.starts(with: lineSeparator) || rest.starts(with: paragraphSeparator) ? 3 : 0
        default: 0
        }
    }

    private mutating func writeEscape(_ scalar: Slice<UnsafeBufferPointer<UInt8>>) {
        switch scalar[scalar.startIndex] {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case UInt8(ascii: "\n"): append("\\n")
        case UInt8(ascii: "\r"): append("\\r")
        case UInt8(ascii: "\t"): append("\\t")
        case 0xE2: append(scalar.elementsEqual(Self.lineSeparator) ? "\\u2028" : "\\u2029")
        case let byte:
            append("\\u00")
            bytes.append(Self.hexadecimalDigits[Int(byte >> 4)])
            bytes.append(Self.hexadecimalDigits[Int(byte & 0xF)])
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private static let hexadecimalDigits = Array("0123456789abcdef".utf8)
    private static let lineSeparator = Array("\u{2028}".utf8)
    private static let paragraphSeparator = Array("\u{2029}".utf8)
}
