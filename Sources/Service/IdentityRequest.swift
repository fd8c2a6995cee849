internal import Bridges
internal import HTTP
internal import JSON

/// What a customer's backend asks for: the signature of an id, perhaps with a key of its choice.
struct IdentityRequest: Equatable {
    /// The longest id, in bytes of UTF-8.
    static let idLimit = 512

    /// The exact text: not trimmed, not normalised.
    let id: String
    /// The key's name, if one was asked for.
    let kid: String?

    /// Reads the content, an object with the rule's field and no other, and the query, nothing or `kid=NAME`.
    init(content: [UInt8], query: ArraySlice<UInt8>, rule: IdentityRule) throws(ProblemDetail) {
        kid = try Self.kid(in: query)
        id = try Self.id(in: content, field: rule.requestField)
        guard !id.isEmpty else { throw .emptyID }
        guard id.utf8.count <= Self.idLimit else { throw .idTooLong }
    }

    private static func id(in content: [UInt8], field: String) throws(ProblemDetail) -> String {
        let document = try document(content)
        guard document.duplicates.isEmpty else { throw .repeatedName }
        guard case .object(let members) = document.root.content else { throw .notAnObject }
        guard let node = document.root.member(field) else { throw members.isEmpty ? .missingID : .unknownName }
        guard members.count == 1 else { throw .unknownName }
        guard case .string(let id) = node.content else { throw .idNotText }
        return id
    }

    private static func document(_ content: [UInt8]) throws(ProblemDetail) -> JSONDocument {
        do throws(JSONSyntaxError) {
            return try JSONReader.read(content)
        } catch {
            // RFC 8259 §8.2 calls it JSON all the same, but no UTF-8 can carry it.
            throw error.reason == .loneSurrogate ? .loneSurrogate : .notJSON
        }
    }

    /// Anything but one `kid` is refused: a name with a typing error must not be signed with another key.
    private static func kid(in query: ArraySlice<UInt8>) throws(ProblemDetail) -> String? {
        if query.isEmpty { return nil }
        guard query.starts(with: "kid=".utf8), !query.contains(UInt8(ascii: "&")),
            let kid = percentDecoded(query.dropFirst("kid=".utf8.count))
        else { throw .malformedQuery }
        return kid
    }

    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let value = UInt8(hexadecimalDigits: rest.prefix(2)) else { return nil }
            decoded.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate init?(hexadecimalDigits digits: ArraySlice<UInt8>) {
        // `UInt8("+f", radix: 16)` would take the sign.
        guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
