/// An `https` URL that a tenant gives as a setting's value: a vendor's script, a picture, a sound.
enum WebURL {
    /// The form, as far as a pattern can say it.
    static let pattern =
        "^https://(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::[1-9][0-9]{0,4})?"
        + "(?:[/?#][A-Za-z0-9._~!$&()*+,;=:@/?#%-]*)?$"

    /// The URL's origin, or nil when it is no `https` URL without credentials, in ASCII, its host in lower case.
    static func origin(of text: String) -> String? {
        guard let parts = URLParts(text.utf8), parts.scheme == "https", HostName.isValid(parts.host) else { return nil }
        guard parts.tail.allSatisfy(isAllowed) else { return nil }
        return parts.origin
    }

    /// RFC 3986's characters without the apostrophe: a quote has no business in what ends up in headers and markup.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || allowedMarks.contains(byte)
    }

    private static let allowedMarks = Set("._~!$&()*+,;=:@/?#%-".utf8)
}

/// An origin as browsers serialise it in `Origin`, which an app's web view may fill with its own scheme.
enum WebOrigin {
    /// The form, as far as a pattern can say it.
    static let pattern = "^(?:null|[a-z][a-z0-9+.-]*://[a-z0-9.-]+(?::[1-9][0-9]{0,4})?)$"

    /// Whether a browser could send exactly this; a default port never stands in an origin.
    static func isValid(_ text: String) -> Bool {
        if text.isSame(as: "null") { return true }
        guard let parts = URLParts(text.utf8), parts.tail.isEmpty else { return false }
        guard HostName.isValid(parts.host, allowsAddress: true) else { return false }
        return !(parts.scheme == "https" && parts.port == 443) && !(parts.scheme == "http" && parts.port == 80)
    }
}
