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
            let sorted = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            writeList(sorted, open: "{", close: "}") { writer, member in
                writer.writeString(member.name)
                writer.append(writer.indentation == nil ? ":" : ": ")
                writer.write(member.value)
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
        append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..."\u{1F}", "\u{7F}": writeEscape(scalar.value)
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        append("\"")
    }

    private mutating func writeEscape(_ value: UInt32) {
        append("\\u")
        for shift in stride(from: UInt32(12), through: 0, by: -4) {
            bytes.append(Self.hexadecimalDigits[Int(value >> shift & 0xF)])
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private static let hexadecimalDigits = Array("0123456789abcdef".utf8)
}
