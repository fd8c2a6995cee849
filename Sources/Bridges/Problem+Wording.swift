internal import JSON

// The wording of what can be wrong with tenants' files; descriptors and pages have theirs beside this file.

extension Problem {
    // MARK: Files

    /// A file or folder can't be read.
    static func unreadable(_ path: String, reason: String) -> Problem {
        Problem(file: path, found: "\"\(reason)\" on reading it", expected: "something readable by the service")
    }

    /// A file whose name can't be a name.
    static func badName(_ name: String, file: String, reserved: [String]) -> Problem {
        let isReserved = reserved.contains { $0.isSame(as: name) }
        return Problem(
            file: file,
            found: isReserved ? "a name that the service uses itself" : "the name \(quoted(name))",
            expected: "a name that matches \(Name.pattern)"
                + (reserved.isEmpty ? "" : " and is none of: \(reserved.joined(separator: ", "))"),
            advice: "Rename the file; other endings than .json are ignored."
        )
    }

    // MARK: Bridges and settings

    static func unknownBridge(_ name: String, among known: [String], at place: Place) -> Problem {
        unknown("bridge", name, among: known, at: place)
    }

    static func unknownValue(_ value: Located, of setting: Setting) -> Problem {
        let texts = setting.known.map(\.text)
        var advice = "It is used as it is."
        if case .string(let text) = value.node.content, let nearest = NearestName.of(text, among: setting.knownTexts) {
            advice += " Did you mean \(quoted(nearest))?"
        }
        return .wrongValue(
            value,
            expected: "one of the known values: \(texts.joined(separator: ", "))",
            severity: .warning,
            advice: advice
        )
    }

    static func misleadingValue(_ value: Located, warning: Setting.Warning) -> Problem {
        .wrongValue(
            value,
            expected: "another value or none",
            severity: .warning,
            advice: warning.message
        )
    }

    static func noRuleForValue(_ value: JSONValue, setting: String, ruled: [JSONValue], entry: Located) -> Problem {
        Problem(
            .warning,
            at: entry.place,
            found: "\(setting) is \(value.text), for which the descriptor has no hosts",
            expected: "one of: \(unique(ruled.map(\.text)).joined(separator: ", "))",
            advice: "The policy allows the hosts of all of them."
        )
    }

    static func patternMismatch(_ value: Located, text: String, setting: Setting) -> Problem {
        let nearest = NearestName.of(text, among: setting.knownTexts).map { "Did you mean \(quoted($0))?" }
        return .wrongValue(
            value,
            expected: "text that matches \(setting.pattern ?? "")",
            advice: [setting.summary, nearest].compactMap(\.self).joined(separator: " ").nilIfEmpty
        )
    }

    static func notAnHTTPSURL(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "an https URL in ASCII without user name and quotes, its host in lower case",
            advice: "Percent-encode other characters; a phone loads nothing over http."
        )
    }

    static func notAColor(_ value: Located, text: String) -> Problem {
        .wrongValue(
            value,
            expected: "a CSS colour such as #2563eb, rgb(37, 99, 235) or a colour's name",
            advice: NearestName.of(text, among: Color.names).map { "Did you mean \(quoted($0))?" }
        )
    }

    // MARK: Sources

    static func refusedSource(
        _ value: Located,
        refusal: PolicySource.Refusal,
        directive: Directive,
        author: PolicySource.Author
    ) -> Problem {
        .wrongValue(
            value,
            expected: PolicySource.expectation(in: directive, by: author),
            advice: refusal.advice(directive: directive, author: author)
        )
    }

    // MARK: Hosts

    static func notAHost(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "a host name in lower-case ASCII without scheme, port, wildcard and final dot",
            advice: "Write an international name in its xn-- form."
        )
    }

    static func serviceHost(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "a host of the tenant's own",
            advice: "This one is the service's own; it serves every tenant by path."
        )
    }

    static func repeatedHost(_ value: Located) -> Problem {
        .wrongValue(value, expected: "each host once", advice: "Remove it.")
    }

    static func claimedHost(_ host: String, by other: String, isOwned: Bool, at place: Place) -> Problem {
        Problem(
            at: place,
            found: "the host \(quoted(host)), which tenant \(quoted(other)) " + (isOwned ? "has" : "claims as well"),
            expected: "a host that no other tenant claims",
            advice: isOwned ? "It stays with \(quoted(other))." : "Neither tenant is served until one file gives it up."
        )
    }

    // MARK: Words

    static func unknown(_ thing: String, _ name: String, among known: [String], at place: Place) -> Problem {
        Problem(
            at: place,
            found: "the unknown \(thing) \(quoted(name))",
            expected: known.isEmpty ? "none here" : "one of: \(known.sorted().joined(separator: ", "))",
            advice: NearestName.of(name, among: known).map { "Did you mean \(quoted($0))?" }
        )
    }

    static func quoted(_ text: String) -> String { JSONValue.string(text).text }

    private static func unique(_ texts: [String]) -> [String] {
        texts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension Setting {
    fileprivate var knownTexts: [String] {
        known.compactMap { value in
            guard case .string(let text) = value else { return nil }
            return text
        }
    }
}

extension String {
    fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
