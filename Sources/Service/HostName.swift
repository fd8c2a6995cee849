internal import System

/// Host names as operators write them: ASCII in lower case, no port.
enum HostName {
    /// Whether the text is a DNS name in lower case (RFC 1123 §2.1) or an address literal, an IPv6 one in brackets.
    static func isValid(_ text: String) -> Bool {
        if text.utf8.first == UInt8(ascii: "[") {
            return text.utf8.last == UInt8(ascii: "]")
                && SocketAddress(literal: String(text.dropFirst().dropLast()), port: 0) != nil
        }
        guard (1...253).contains(text.utf8.count) else { return false }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        let bytes = label.utf8
        guard (1...63).contains(bytes.count), bytes.first != UInt8(ascii: "-"), bytes.last != UInt8(ascii: "-") else {
            return false
        }
        return bytes.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
        }
    }

    /// Host and port of an https origin, 443 unless written; nil for anything else.
    static func ofOrigin(_ text: String) -> (host: String, port: Int)? {
        let scheme = "https://"
        guard text.utf8.starts(with: scheme.utf8) else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        let bracket = rest.lastIndex(of: UInt8(ascii: "]")) ?? rest.startIndex
        guard let colon = rest[bracket...].firstIndex(of: UInt8(ascii: ":")) else {
            let host = String(rest) ?? ""
            return isValid(host) ? (host, 443) : nil
        }
        let digits = rest[rest.index(after: colon)...]
        guard let host = String(rest[..<colon]), isValid(host), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = String(digits).flatMap({ Int($0) }), (1...65_535).contains(port)
        else { return nil }
        return (host, port)
    }
}
