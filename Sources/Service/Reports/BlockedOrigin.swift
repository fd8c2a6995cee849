/// What was blocked, as far as it may be kept: an origin, a scheme or a keyword, never a path, a query or a user.
enum BlockedOrigin {
    /// In the place of what has no form that a browser reports.
    static let unknown = "other"

    /// The longest host name with a port.
    private static let longestAuthority = 261
    private static let longestScheme = 32
    /// Schemes whose host is kept, with the default ports, which some engines write and others don't.
    private static let defaultPorts = ["http": ":80", "https": ":443", "ws": ":80", "wss": ":443"]
    /// What engines report instead of a URL.
    private static let keywords: Set<String> = [
        "inline", "eval", "wasm-eval", "self", "data", "blob", "about", "filesystem", "trusted-types-policy",
        "trusted-types-sink",
    ]

    /// The kept part of a report's URL.
    static func of(_ text: String) -> String {
        let bytes = text.utf8
        guard let colon = bytes.prefix(longestScheme + 1).firstIndex(of: UInt8(ascii: ":")) else {
            return keywords.contains(text) ? text : unknown
        }
        let scheme = lowercased(bytes[..<colon])
        guard let first = scheme.utf8.first, isLowerCase(first), scheme.utf8.allSatisfy(isSchemeByte) else {
            return unknown
        }
        guard let port = defaultPorts[scheme] else { return scheme }
        let rest = bytes[bytes.index(after: colon)...]
        guard rest.starts(with: "//".utf8) else { return unknown }
        guard let authority = authority(rest.dropFirst(2)) else { return unknown }
        return "\(scheme)://" + (authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority)
    }

    private static func authority(_ rest: Substring.UTF8View) -> String? {
        let whole = rest.prefix { !isEnd($0) }
        let host = whole.lastIndex(of: UInt8(ascii: "@")).map { whole[whole.index(after: $0)...] } ?? whole
        guard !host.isEmpty, host.count <= longestAuthority else { return nil }
        let text = lowercased(host)
        return text.utf8.allSatisfy(isAuthorityByte) ? text : nil
    }

    private static func lowercased(_ bytes: Substring.UTF8View) -> String {
        String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            || byte == UInt8(ascii: "\\")
    }

    private static func isLowerCase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLowerCase(byte) || isDigit(byte) || "+.-".utf8.contains(byte)
    }

    private static func isAuthorityByte(_ byte: UInt8) -> Bool {
        isLowerCase(byte) || isDigit(byte) || ".-_:[]".utf8.contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
