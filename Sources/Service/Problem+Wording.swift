internal import Crypto
internal import JSON
internal import System
internal import TLS

// The wording of what can be wrong with the service's own files and settings.

extension Problem {
    /// A variable that looks like ours and is not.
    static func unknownVariable(_ name: String, nearest: String?) -> Problem {
        Problem(
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

    /// A file of a ticket key that holds something else; what it holds is not told.
    static func notATicketKey(_ file: String, count: Int) -> Problem {
        Problem(
            file: file,
            found: "\(count) bytes",
            expected: "\(TicketKey.length) random bytes",
            advice: "Make one by: openssl rand -out FILE \(TicketKey.length)"
        )
    }

    /// A secret that any user of the machine can read.
    static func readableByAll(_ file: String) -> Problem {
        Problem(
            .warning,
            file: file,
            found: "a secret that every user of this machine can read",
            expected: "a file that its owner or group alone can read",
            advice: "chmod o-r"
        )
    }

    /// A certificate or key that can't be used.
    static func unusable(_ error: CryptoError, file: String, expected: String) -> Problem {
        Problem(file: file, found: "\(error)", expected: expected)
    }

    /// A certificate that phones would refuse, now or soon.
    static func certificate(_ defect: Identity.Defect, _ files: Settings.CertificateFiles) -> Problem {
        let wording = defect.wording
        return Problem(
            defect.isFatal ? .error : .warning,
            file: files.chain,
            found: wording.found,
            expected: wording.expected,
            advice: defect == .keyMismatch ? "The key was read from \(files.key)." : nil
        )
    }
}

extension Identity.Defect {
    fileprivate var wording: (found: String, expected: String) {
        switch self {
        case .keyMismatch: ("a certificate of another key", "the certificate and the key of one pair")
        case .weakKey: ("a key that iOS and Android refuse as too short", "EC P-256, or RSA of 2048 bits or more")
        case .leafOnly:
            ("a certificate without its intermediates", "the full chain: Android does not fetch what is missing")
        case .wrongOrder(let index):
            (
                "as certificate \(index + 1) one that did not issue the one before it",
                "the leaf, then each issuer in turn"
            )
        case .notYetValid: ("a certificate that is not valid yet", "one that is valid now")
        case .expired: ("an expired certificate", "one that is valid now")
        case .expiresSoon(let days):
            ("a certificate that expires in \(days) days", "one that is valid for \(Identity.soonDays) days or more")
        case .noNames:
            (
                "a certificate without subject alternative names",
                "one that names its hosts; the common name does not count"
            )
        case .notForServers: ("a certificate that is not for servers", "extended key usage serverAuth")
        }
    }
}
