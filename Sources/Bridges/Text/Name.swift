/// The names of tenants and bridges: they are file names, path segments and labels of logs alike.
enum Name {
    /// What a name looks like, as an anchored pattern for schemas and messages.
    static let pattern = "^[a-z0-9][a-z0-9-]{0,62}$"

    /// First path segments that the service itself answers; no tenant can have them.
    static let reserved = ["api", "inspect", "reports"]

    static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != UInt8(ascii: "-"), name.utf8.count <= 63 else { return false }
        return name.utf8.allSatisfy { $0.isLowercaseLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    }
}

/// The names that page scripts use as they are: settings, handlers, fields.
enum Identifier {
    /// What it looks like, as an anchored pattern for schemas and messages.
    static let pattern = "^[A-Za-z][A-Za-z0-9_]{0,63}$"

    static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, first.isLetter, name.utf8.count <= 64 else { return false }
        return name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }
}

/// The names of files in `public/` and in the folder of secrets, which are joined to a folder's path.
enum FileName {
    /// A plain name with that ending: no folder, no hidden file.
    static func isPlain(_ name: String, ending: String) -> Bool {
        name.utf8.count > ending.utf8.count && name.utf8.count <= 128 && isSegment(name)
            && name.utf8.ends(with: ending.utf8)
    }

    /// A relative path that can't leave its folder.
    static func isContained(_ path: String) -> Bool {
        path.utf8.count <= 512
            && path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .allSatisfy { isSegment(String(Substring($0))) }
    }

    /// As ``isContained(_:)`` says it, for schemas.
    static let containedPattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$"

    private static func isSegment(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != UInt8(ascii: ".") else { return false }
        return name.utf8.allSatisfy {
            $0.isLetter || $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
    }
}

extension String.UTF8View {
    fileprivate func ends(with other: String.UTF8View) -> Bool {
        suffix(other.count).elementsEqual(other)
    }
}
