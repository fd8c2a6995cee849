// The wording of why a policy source is refused.

extension PolicySource {
    /// What can stand in a directive.
    static func expectation(in directive: Directive, by author: Author) -> String {
        var kinds = [directive == .connectSrc ? "an https or wss origin" : "an https origin"]
        if directive == .frameAncestors { kinds.append("an app's scheme with a host, as capacitor://localhost") }
        if author == .descriptor, directive == .styleSrc { kinds.append("'unsafe-inline'") }
        if author == .descriptor, [.imgSrc, .fontSrc, .mediaSrc, .workerSrc].contains(directive) {
            kinds.append("data:")
            kinds.append("blob:")
        }
        return "for \(directive.rawValue) " + kinds.joined(separator: " or ")
    }
}

extension PolicySource.Refusal {
    /// What to do about it.
    func advice(directive: Directive, author: PolicySource.Author) -> String {
        switch self {
        case .smuggling:
            "White space, quotes, ';', ',' and control characters would change the policy; write one source."
        case .broad: "This would allow every host; name those that are needed."
        case .keyword: "Keywords in quotes are set by the service\(author == .tenant ? ", never by a tenant" : "")."
        case .scheme: "This scheme can't be allowed in \(directive.rawValue)\(author == .tenant ? " by a tenant" : "")."
        case .host: "Write a host name in lower-case ASCII, an international one in its xn-- form, and no address."
        case .wildcard: "One leading *. with at least two labels after it."
        case .path where directive == .frameAncestors: "An ancestor is compared by origin: remove the path."
        case .path: "A path begins with / and has no query and no fragment."
        case .form: "Write scheme://host, with a port from 1 to 65535 if needed, and no user name."
        }
    }
}
