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

    /// A folder for answers to challenges that can't be opened.
    static func noChallengeDirectory(_ error: SystemError, serverFile: String) -> Problem {
        Problem(
            file: error.subject,
            found: "no folder that can be opened: \(error.reason)",
            expected: "the folder where the client of a certificate authority puts its answers",
            advice:
                "\(serverFile) names it as challengeDirectory; make it first, for certbot with all folders above it."
        )
    }

    /// A folder for answers to challenges that nobody can ask for.
    static func challengesUnasked(serverFile: String) -> Problem {
        Problem(
            .warning,
            file: serverFile,
            found: "challengeDirectory, and no listener with \"redirect\": true",
            expected: "one, which authorities reach as port 80: challenges are answered there alone"
        )
    }

    /// A secret that any user of the machine can read.
    static func readableByAll(_ file: String) -> Problem {
        Problem(
            .warning,
            file: file,
            found: "a secret that every user of this machine can read",
            expected: "a file that its owner or group alone can read",
            advice: "chmod o-rwx, or defaultMode 0440 in Kubernetes."
        )
    }

    /// A certificate or key that can't be used.
    static func unusable(_ error: CryptoError, file: String, expected: String) -> Problem {
        Problem(file: file, found: "\(error)", expected: expected)
    }

    /// A certificate that OpenSSL does not take, for a reason of its own.
    static func refused(_ error: TLSError, _ files: Settings.CertificateFiles) -> Problem {
        Problem(file: files.chain, found: "\(error)", expected: "a chain and a key that OpenSSL serves")
    }

    /// A certificate that clients would refuse, now or soon; with `isFatal` it is not served.
    static func certificate(
        _ defect: Identity.Defect,
        _ files: Settings.CertificateFiles,
        isFatal: Bool
    ) -> Problem {
        let wording = defect.wording(isFatal: isFatal)
        return Problem(
            isFatal ? .error : .warning,
            file: files.chain,
            found: wording.found,
            expected: wording.expected,
            advice: defect.advice(files, isFatal: isFatal)
        )
    }
}
