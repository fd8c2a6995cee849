/// One source of a policy as a person wrote it, judged on its bytes before it comes near a header.
enum PolicySource {
    /// Who wrote it.
    enum Author {
        /// Whoever adds a vendor: may also use schemes for data made on the page, and inline styles.
        case descriptor
        /// A tenant: `https` and `wss`, and an app's scheme where the page may be framed.
        case tenant
    }

    /// Why it can't be used.
    enum Refusal: Hashable, Error {
        /// White space, `;`, `,`, quotes, control or non-ASCII characters: it could begin another source or directive.
        case smuggling
        /// `*`, `https:`, `https://*`: everything at once.
        case broad
        /// A keyword in quotes that is not for this author or this directive.
        case keyword
        /// A scheme that is not for this author or this directive.
        case scheme
        /// No host name in lower case.
        case host
        /// `*` elsewhere than as the first label, or with less than two labels after it.
        case wildcard
        /// A path with a query, a fragment, or a character that paths don't have.
        case path
        /// No `scheme://host` at all, or credentials, or a bad port.
        case form
    }

    /// Tells why a source can't stand in a directive, or nil if it can.
    static func refusal(of text: String, in directive: Directive, by author: Author) -> Refusal? {
        let bytes = Array(text.utf8)
        if author == .descriptor, directive == .styleSrc, bytes.equals("'unsafe-inline'") { return nil }
        if isKeyword(bytes) { return .keyword }
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) && !smugglers.contains($0) }) else {
            return .smuggling
        }
        if bytes.equals("data:") || bytes.equals("blob:") {
            return author == .descriptor && madeOnPage.contains(directive) ? nil : .scheme
        }
        if isBroad(bytes) { return .broad }
        guard let parts = URLParts(bytes) else { return .form }
        if !isScheme(parts.scheme, allowedIn: directive) { return .scheme }
        return hostRefusal(parts.host) ?? tailRefusal(parts.tail, in: directive)
    }

    private static let smugglers = Set(";,'\"`\\<>".utf8)
    private static let madeOnPage: Set<Directive> = [.imgSrc, .fontSrc, .mediaSrc, .workerSrc]

    private static func isKeyword(_ bytes: [UInt8]) -> Bool {
        let quote = UInt8(ascii: "'")
        guard bytes.count > 2, bytes.first == quote, bytes.last == quote else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0.isLetter || $0 == UInt8(ascii: "-") }
    }

    /// `*`, a scheme alone, or a host that is nothing but a wildcard.
    private static func isBroad(_ bytes: [UInt8]) -> Bool {
        if bytes.equals("*") || bytes.last == UInt8(ascii: ":") { return true }
        return URLParts(bytes).map { $0.host.equals("*") || $0.host.isEmpty } ?? false
    }

    private static func isScheme(_ scheme: String, allowedIn directive: Directive) -> Bool {
        switch scheme {
        case "https": true
        case "wss": directive == .connectSrc
        default: directive == .frameAncestors && !networkSchemes.contains(scheme)
        }
    }

    /// Schemes that are never an app's own.
    private static let networkSchemes: Set<String> = [
        "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "ftps", "http", "javascript", "vbscript",
        "view-source", "ws", "wss",
    ]

    private static func hostRefusal(_ host: [UInt8]) -> Refusal? {
        guard host.contains(UInt8(ascii: "*")) else { return HostName.isValid(host) ? nil : .host }
        guard host.starts(with: "*.") else { return .wildcard }
        let rest = host.dropFirst(2)
        guard !rest.contains(UInt8(ascii: "*")), rest.contains(UInt8(ascii: ".")) else { return .wildcard }
        return HostName.isValid(rest) ? nil : .host
    }

    private static func tailRefusal(_ tail: [UInt8], in directive: Directive) -> Refusal? {
        // An ancestor is compared by origin alone, so a path there would only look like a limit.
        if directive == .frameAncestors { return tail.isEmpty ? nil : .path }
        return tail.isEmpty || tail.first == UInt8(ascii: "/") && tail.allSatisfy(isPathByte) ? nil : .path
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || pathMarks.contains(byte)
    }

    private static let pathMarks = Set("/._~!$&()*+=:@%-".utf8)
}

extension PolicySource {
    /// What schemas can say of a tenant's sources; the rest is said by the validator.
    static func tenantPattern(in directive: Directive) -> String {
        let host = "(?:\\*\\.(?=[^/:]*\\.))?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*"
        let port = "(?::[1-9][0-9]{0,4})?"
        let path = "(?:/[A-Za-z0-9._~!$&()*+=:@%/-]*)?"
        return switch directive {
        case .frameAncestors:
            "^(?!(?:" + networkSchemes.sorted().joined(separator: "|") + "):)[a-z][a-z0-9+.-]*://\(host)\(port)$"
        case .connectSrc: "^(?:https|wss)://\(host)\(port)\(path)$"
        default: "^https://\(host)\(port)\(path)$"
        }
    }
}
