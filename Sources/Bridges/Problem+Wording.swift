internal import JSON
internal import System

// The wording of what can be wrong with tenants, descriptors and pages.

/// What a page must not have, since its policy could not protect it or the browser would refuse it.
enum PageDefect {
    case notText
    case dataBlock(count: Int)
    case dataBlockContent
    case endsElement(asset: String, text: String)
    case eventHandler(String)
    case scriptURL(String)
    case unclosed(String)
    case scriptForm
    case linkForm
    case commentInScript
    case baseElement
    case metaField
    case styleAttribute
}

extension Problem {
    static func page(file: String, position: Position?, _ defect: PageDefect) -> Problem {
        let wording = defect.wording
        return Problem(
            file: file,
            position: position,
            found: wording.found,
            expected: wording.expected,
            advice: "Positions count lines after inlining."
        )
    }

    static func missingSettings(_ names: [String], at place: Place) -> Problem {
        Problem(
            file: place.file,
            position: place.position,
            path: place.path,
            found: "no settings",
            expected: "\"settings\" with \(names.joined(separator: ", "))"
        )
    }

    static func malformedToken(at value: Located) -> Problem {
        Problem(
            file: value.place.file,
            position: value.node.position,
            path: value.place.path,
            found: "something else",
            expected: "sha256: and the 64 hexadecimal digits of the token's SHA-256",
            advice: "Never put the token itself into a file; if it stood here, replace it."
        )
    }

    static func hostClaimedTwice(_ host: String, by others: [String], at place: Place, isKept: Bool) -> Problem {
        Problem(
            file: place.file,
            position: place.position,
            path: place.path,
            found: "the host \(host), which \(others.joined(separator: " and ")) claims too",
            expected: "each host in one tenant's file",
            advice: isKept ? "It stays with the tenant that had it." : "None of them is served there."
        )
    }

    static func noHostLeft(_ draft: TenantDraft) -> Problem {
        Problem(
            file: draft.file,
            found: "no host that is the tenant's alone",
            expected: "at least one",
            advice: "The tenant is not served, since it asked to be served at its own hosts only."
        )
    }

    static func badFileName(_ file: String, expected: String) -> Problem {
        Problem(file: file, found: "a file name that can't be used", expected: expected)
    }

    static func unreadable(_ error: SystemError, advice: String? = nil) -> Problem {
        Problem(
            file: error.subject,
            found: "a file or folder that can't be read (\(error.reason))",
            expected: "one that can",
            advice: advice
        )
    }

    static func pageSharedByBridges(_ page: String, file: String, other: String) -> Problem {
        Problem(file: file, found: "the page \(page), which \(other) has too", expected: "each page in one descriptor")
    }

    static func noPageURL(tenantCount: Int, file: String) -> Problem {
        Problem(
            .warning,
            file: file,
            found: "no publicBaseURL",
            expected: "the origin by which apps reach this service, as https://chat.example",
            advice: "REST gives no pageURL for \(tenantCount) tenants without hosts."
        )
    }
}

extension Located {
    /// Reports a name that is none of those that can stand here.
    func unknownName<Value>(_ name: String, among known: [String], what: String) -> Value? {
        let nearest = NearestName.of(name, among: known)
        problems.report(
            Problem(
                file: place.file,
                position: place.position,
                path: place.path,
                found: "the unknown \(what) \(JSONValue.string(name).text)",
                expected: "one of: \(known.sorted().joined(separator: ", "))",
                advice: nearest.map { "Did you mean \"\($0)\"?" }
            )
        )
        return nil
    }
}

extension PageDefect {
    fileprivate var wording: (found: String, expected: String) {
        switch self {
        case .notText: ("bytes that are not UTF-8, a NUL, or a byte order mark", "plain UTF-8 text")
        case .dataBlock(let count):
            ("\(count) data blocks", "exactly one \(PageTemplate.dataTag){}</script>")
        case .dataBlockContent: ("a data block with content", "{} in the data block; the server fills it")
        case .endsElement(let asset, let text):
            ("\(text) in \(asset)", "text that does not end the element it is put into")
        case .eventHandler(let name): ("the attribute \(name)", "addEventListener in a script")
        case .scriptURL(let name): ("javascript: in the attribute \(name)", "a script")
        case .unclosed(let element): ("<\(element)> without its end tag", "</\(element)>")
        case .scriptForm:
            (
                "a script element with attributes",
                "<script>, <script src=\"NAME.js\"></script> of a file beside it, or the data block"
            )
        case .linkForm: ("a stylesheet link", "<link rel=\"stylesheet\" href=\"NAME.css\"> of a file beside it")
        case .commentInScript: ("<!-- in a script or style", "text without it")
        case .baseElement: ("<base>", "no base: the policy forbids it")
        case .metaField: ("<meta http-equiv>", "fields set by the server")
        case .styleAttribute: ("a style attribute", "a style element, or 'unsafe-inline' in the descriptor's style-src")
        }
    }
}
