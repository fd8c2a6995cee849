// The wording of what can be wrong with any JSON file.

extension Problem {
    /// The file is not JSON.
    public static func syntax(_ error: JSONSyntaxError, file: String) -> Problem {
        let wording = error.reason.wording
        return Problem(
            file: file,
            position: error.position,
            found: wording.found,
            expected: wording.expected,
            advice: wording.advice
        )
    }

    /// An object has a name twice.
    public static func duplicateKey(_ duplicate: JSONDocument.Duplicate, file: String) -> Problem {
        Problem(
            file: file,
            position: duplicate.position,
            path: duplicate.path,
            found: "a key that already stands at \(duplicate.first)",
            expected: "each key once"
        )
    }

    /// A name that nothing reads.
    static func unknownKey(_ name: String, among known: [String], at place: Place) -> Problem {
        let nearest = NearestName.of(name, among: known)
        return Problem(
            at: place,
            found: "the unknown key \(JSONValue.string(name).text)",
            expected: known.isEmpty ? "no keys here" : "one of: \(known.sorted().joined(separator: ", "))",
            advice: nearest.map { "Did you mean \"\($0)\"?" }
        )
    }

    /// A name that must be there.
    static func missingKey(_ name: String, at place: Place) -> Problem {
        Problem(
            at: place,
            found: "no key \"\(name)\"",
            expected: "the required key \"\(name)\""
        )
    }

    /// A value of another type, or out of range.
    public static func wrongValue(
        _ value: Located,
        expected: String,
        severity: Severity = .error,
        advice: String? = nil
    ) -> Problem {
        Problem(
            severity,
            at: value.valuePlace,
            found: value.kind,
            expected: expected,
            advice: advice
        )
    }
}

extension JSONSyntaxError.Reason {
    fileprivate var wording: (found: String, expected: String, advice: String?) {
        switch self {
        case .byteOrderMark: ("a byte order mark", "UTF-8 text without one", "Save the file as UTF-8 without BOM.")
        case .invalidUTF8: ("bytes that are not UTF-8", "UTF-8 text", "Save the file as UTF-8.")
        case .unexpectedEnd: ("the end of the file", "the rest of a value", "A bracket, brace or quote is not closed.")
        case .unexpected(let byte, let expected): (Self.name(of: byte), expected.wording, nil)
        case .trailingComma: ("a comma before a closing bracket", "another element", "Remove the comma.")
        case .controlCharacter(let byte):
            ("the control character \(Self.name(of: byte)) in a string", "an escape such as \\n or \\u000a", nil)
        case .invalidEscape: ("an invalid escape", "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX", nil)
        case .loneSurrogate: ("half of a surrogate pair", "both halves, or the character itself", nil)
        case .invalidNumber: ("an invalid number", "a number as in RFC 8259 §6", "No leading zeros, no + sign.")
        case .tooDeep(let limit): ("arrays and objects nested too deep", "at most \(limit) levels", nil)
        case .trailingContent: ("something after the value", "the end of the file", nil)
        }
    }

    private static func name(of byte: UInt8) -> String {
        guard (0x21...0x7E).contains(byte) else {
            let digits = String(byte, radix: 16, uppercase: true)
            return "byte 0x" + (digits.utf8.count < 2 ? "0" : "") + digits
        }
        return "'\(Unicode.Scalar(byte))'"
    }
}

extension JSONSyntaxError.Expectation {
    fileprivate var wording: String {
        switch self {
        case .value: "a value"
        case .name: "a key in double quotes"
        case .colon: "':' after the key"
        case .separator: "',' or the closing bracket"
        case .literal: "true, false or null"
        }
    }
}
