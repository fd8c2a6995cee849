internal import Crypto
internal import HTTP

/// What a request says about who sent it, as far as we know schemes: Bearer (RFC 6750 §2.1).
enum Credentials: Equatable {
    /// Nothing, or another scheme.
    case none
    /// Bearer, but no token of the form that tokens have, or more than one field.
    case malformed
    /// A token.
    case token([UInt8])

    init(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) {
        let values = head.values(of: .authorization)
        guard values.count == 1 else {
            self = values.isEmpty ? .none : .malformed
            return
        }
        self.init(bytes.array(values[0]))
    }

    init(_ value: [UInt8]) {
        let scheme = value.prefix { $0 != UInt8(ascii: " ") }
        guard scheme.map(asciiLowercased).elementsEqual("bearer".utf8) else {
            self = .none
            return
        }
        let token = value[scheme.endIndex...].drop { $0 == UInt8(ascii: " ") }
        let characters = token.prefix(while: Self.isTokenByte)
        let isWhole = token[characters.endIndex...].allSatisfy { $0 == UInt8(ascii: "=") }
        self = isWhole && !characters.isEmpty ? .token(Array(token)) : .malformed
    }

    /// Whether it is one of the tokens with these digests, in a time that does not depend on which.
    func isOne(of digests: [[UInt8]]) -> Bool {
        guard case .token(let token) = self else { return false }
        let digest = SHA256.hash(token)
        var isKnown = false
        for known in digests {
            let isEqual = constantTimeEquals(digest, known)
            isKnown = isKnown || isEqual
        }
        return isKnown
    }

    /// `b64token` without its padding.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~+/".utf8.contains(byte)
        }
    }
}

extension RequestHead {
    /// The values of all fields of that name, for those of which there must be one alone.
    func values(of name: FieldName) -> [ByteRange] {
        var values: [ByteRange] = []
        _ = anyValue(of: name) { value in
            values.append(value)
            return false
        }
        return values
    }
}
