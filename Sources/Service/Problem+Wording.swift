internal import JSON
internal import System

// The wording of what can be wrong with the service's own files and settings.

extension Problem {
    /// A variable that looks like ours and is not.
    static func unknownVariable(_ name: String, known: [String]) -> Problem {
        let nearest = NearestName.of(String(name.dropFirst(SettingsOverlay.prefix.count)), among: known)
        return Problem(
            file: "environment variable \(name)",
            found: "no key of server.json with that name",
            expected: "\(SettingsOverlay.prefix) and a path in upper snake case, as BRIDGEHOST_LISTENERS_0_PORT",
            advice: nearest.map { "Did you mean \($0)?" }
        )
    }

    /// A `--set` without `=`.
    static func malformedSetFlag(_ flag: String) -> Problem {
        Problem(file: "--set", found: "\"\(flag)\"", expected: "PATH=VALUE, as listeners.0.port=9443")
    }

    /// A file that can't be read.
    static func unreadable(_ error: SystemError, advice: String? = nil) -> Problem {
        Problem(
            file: error.subject,
            found: "a file that can't be read: \(error.reason)",
            expected: "a readable file",
            advice: advice
        )
    }
}
