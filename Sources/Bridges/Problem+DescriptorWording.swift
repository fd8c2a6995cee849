internal import JSON

// The wording of what can be wrong with descriptors.

extension Problem {
    static func notAPageName(_ value: Located) -> Problem {
        .wrongValue(value, expected: "the name of a file in public/ that ends in .html")
    }

    static func repeatedPage(_ page: String, bridge: String, file: String) -> Problem {
        Problem(
            file: file,
            found: "the page \(quoted(page)), which is that of the bridge \(quoted(bridge)) as well",
            expected: "a page of its own",
            advice: "A page's URL names the bridge: copy the file."
        )
    }

    /// A file of `public/` that a descriptor mentions or, without one, the inspector needs.
    static func unreadablePage(_ path: String, reason: String, mention: String?) -> Problem {
        Problem(
            file: path,
            found: "\"\(reason)\" on reading it",
            expected: mention.map { "the page that \($0) names" } ?? "the inspector's file, as it is shipped"
        )
    }

    static func notAnIdentifier(_ name: String, at place: Place) -> Problem {
        Problem(
            at: place,
            found: "the name \(quoted(name))",
            expected: "a name that matches \(Identifier.pattern)"
        )
    }

    static func notOneOf(_ value: Located, text: String, choices: [String]) -> Problem {
        .wrongValue(
            value,
            expected: "one of: \(choices.sorted().joined(separator: ", "))",
            advice: NearestName.of(text, among: choices).map { "Did you mean \(quoted($0))?" }
        )
    }

    static func requiredWithDefault(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "no default for a required setting",
            advice: "Remove one of the two."
        )
    }

    static func uselessKey(_ value: Located, key: String, types: String) -> Problem {
        .wrongValue(value, expected: "\(key) only for settings of type \(types)")
    }

    static func unusablePattern(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "a pattern from ^ to $ that every engine reads alike",
            advice:
                "Use literals, [classes], (?:groups), |, quantifiers and \\d \\w \\s; no look-around, no \\p, no names."
        )
    }

    static func emptyRange(_ value: Located, minimum: Int) -> Problem {
        .wrongValue(value, expected: "a maximum of at least the minimum, \(minimum)")
    }

    static func notASourceRule(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "a source, {\"when\": …, \"sources\": […]} or {\"setting\": …}"
        )
    }

    static func unknownSetting(_ name: String, among known: [String], at place: Place) -> Problem {
        unknown("setting", name, among: known, at: place)
    }

    static func settingOfWrongType(_ value: Located, wanted: Setting.Kind, found: Setting.Kind) -> Problem {
        .wrongValue(
            value,
            expected: "a setting of type \(wanted.rawValue), and this one is of type \(found.rawValue)"
        )
    }

    static func nativeSource(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "a setting that the app can't change",
            advice: "Remove \"native\" from the setting: an app must not choose what a page loads."
        )
    }

    static func unknownFeature(_ name: String, at place: Place) -> Problem {
        unknown("browser feature", name, among: PermissionsPolicy.features, at: place)
    }

    static func notAnHTTPSOrigin(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "an https origin without path and wildcard, or {\"setting\": …}"
        )
    }
}
