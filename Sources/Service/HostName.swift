internal import Bridges
internal import System

extension HostName {
    /// Whether the text is a DNS name in lower case or an address literal, an IPv6 one in brackets.
    static func isHost(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "[") else { return isValid(text.utf8, allowsAddress: true) }
        return text.utf8.last == UInt8(ascii: "]")
            && SocketAddress(literal: String(text.dropFirst().dropLast()), port: 0) != nil
    }

    /// Host and port of an https origin, 443 unless written; nil for anything else.
    static func ofOrigin(_ text: String) -> (host: String, port: Int)? {
        let scheme = "https://"
        guard text.utf8.starts(with: scheme.utf8) else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        let bracket = rest.lastIndex(of: UInt8(ascii: "]")) ?? rest.startIndex
        guard let colon = rest[bracket...].firstIndex(of: UInt8(ascii: ":")) else {
            let host = String(rest) ?? ""
            return isHost(host) ? (host, 443) : nil
        }
        let digits = rest[rest.index(after: colon)...]
        guard let host = String(rest[..<colon]), isHost(host), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = String(digits).flatMap({ Int($0) }), (1...65_535).contains(port)
        else { return nil }
        return (host, port)
    }
}
