/// The rules for a source that a person writes; checked on bytes, so that nothing in one can end it or begin another.
enum PolicySource {
    /// Who wrote it: a descriptor may say more than a tenant.
    enum Author {
        case descriptor
        case tenant
    }

    /// The directives that an author may add to.
    static func directives(_ author: Author) -> [String] {
        let shared = ["connect-src", "font-src", "frame-src", "img-src", "media-src", "style-src"]
        return switch author {
        case .descriptor: shared + ["script-src", "worker-src"]
        case .tenant: shared + ["frame-ancestors"]
        }
    }

    /// What the author may write for a directive, for messages.
    static func expectation(_ author: Author, _ directive: String) -> String {
        if directive == "frame-ancestors" {
            return "an https origin, or an app's such as capacitor://localhost"
        }
        var text =
            "an https:// or wss:// origin, with a port or path if need be and one leading *. before at least two labels"
        if author == .descriptor, binary.contains(directive) { text += ", data: or blob:" }
        if author == .descriptor, directive == "style-src" { text += ", 'unsafe-inline'" }
        return text
    }

    private static let binary = ["font-src", "img-src", "media-src", "worker-src"]

    static func isAllowed(_ source: String, _ author: Author, _ directive: String) -> Bool {
        if directive == "frame-ancestors" { return isAppOrigin(source) }
        if author == .descriptor {
            if source == "data:" || source == "blob:" { return binary.contains(directive) }
            if source == "'unsafe-inline'" { return directive == "style-src" }
        }
        return isHostSource(Array(source.utf8))
    }

    /// `https://` or `wss://`, host, port and path (CSP3 §2.3.1, host-source, narrowed).
    static func isHostSource(_ bytes: [UInt8]) -> Bool {
        guard let rest = ["https://", "wss://"].lazy.compactMap({ bytes.dropping(prefix: $0) }).first else {
            return false
        }
        let hostEnd = rest.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") } ?? rest.endIndex
        guard isHost(rest[..<hostEnd], allowsWildcard: true) else { return false }
        let pathStart = rest[hostEnd...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        guard hostEnd == pathStart || isPort(rest[rest.index(after: hostEnd)..<pathStart]) else { return false }
        return rest[pathStart...].allSatisfy { isLetterOrDigit($0) || "/-._~%".utf8.contains($0) }
    }

    /// An origin of https or of an app's own scheme, without a path.
    private static func isAppOrigin(_ source: String) -> Bool {
        let bytes = Array(source.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, !bytes.contains(UInt8(ascii: "*")) else {
            return false
        }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self)
        guard scheme.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }) else { return false }
        guard !["http", "ws", "data", "blob", "file", "javascript"].contains(scheme) else { return false }
        guard let rest = bytes.dropping(prefix: scheme + "://"), !rest.contains(UInt8(ascii: "/")) else { return false }
        return scheme == "https" ? isHostSource(bytes) : isHost(rest, allowsWildcard: false)
    }

    private static func isHost(_ bytes: ArraySlice<UInt8>, allowsWildcard: Bool) -> Bool {
        var labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard bytes.count <= 253 else { return false }
        if allowsWildcard, labels.first?.elementsEqual("*".utf8) == true {
            labels.removeFirst()
            guard labels.count >= 2 else { return false }
        }
        return !labels.isEmpty
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            }
    }

    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        (1...5).contains(bytes.count) && bytes.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// The origin of an https URL that a setting's pattern let through.
    static func origin(ofURL url: String) -> String? {
        guard let rest = Array(url.utf8).dropping(prefix: "https://") else { return nil }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let origin = "https://" + String(decoding: authority, as: UTF8.self)
        return isHostSource(Array(origin.utf8)) ? origin : nil
    }
}

extension Array where Element == UInt8 {
    fileprivate func dropping(prefix: String) -> ArraySlice<UInt8>? {
        starts(with: prefix.utf8) ? self[prefix.utf8.count...] : nil
    }
}
