/// The front of an absolute URL, taken apart on bytes: scheme, host and port, and all that follows.
struct URLParts: Hashable {
    /// In lower case, or it is none.
    let scheme: String
    /// Not judged yet; without credentials.
    let host: [UInt8]
    let port: Int?
    /// Path, query and fragment as they stand; empty or beginning with `/`, `?` or `#`.
    let tail: [UInt8]

    /// Takes a text apart, or returns nil where it has no `scheme://`, has credentials or a bad port.
    init?(_ text: some Collection<UInt8>) {
        let bytes = Array(text)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://"),
            Self.isScheme(bytes[..<colon])
        else { return nil }
        let rest = bytes[(colon + 3)...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let authority = rest[..<(end ?? rest.endIndex)]
        guard !authority.contains(UInt8(ascii: "@")) else { return nil }
        scheme = String(decoding: bytes[..<colon], as: UTF8.self)
        tail = Array(rest[authority.endIndex...])
        guard let portColon = authority.firstIndex(of: UInt8(ascii: ":")) else {
            host = Array(authority)
            port = nil
            return
        }
        guard let number = Self.port(authority[(portColon + 1)...]) else { return nil }
        host = Array(authority[..<portColon])
        port = number
    }

    /// `scheme://host[:port]`.
    var origin: String {
        let base = scheme + "://" + String(decoding: host, as: UTF8.self)
        guard let port else { return base }
        return base + ":\(port)"
    }

    private static func isScheme(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, first.isLowercaseLetter, bytes.count <= 32 else { return false }
        return bytes.allSatisfy {
            $0.isLowercaseLetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: ".")
        }
    }

    private static func port(_ digits: some Collection<UInt8>) -> Int? {
        guard (1...5).contains(digits.count), digits.allSatisfy(\.isDigit), digits.first != UInt8(ascii: "0") else {
            return nil
        }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return value <= 65535 ? value : nil
    }
}
