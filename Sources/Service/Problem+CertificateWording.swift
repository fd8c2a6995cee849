internal import Crypto
internal import JSON

// The wording of what is wrong with a certificate.

extension Problem {
    /// A host that no client can ask for.
    static func uncoveredHost(_ gap: CertificateCoverage.Gap, more: Int, _ files: ServiceFiles) -> Problem {
        let others = more > 0 ? ", and \(more) others," : ","
        return Problem(
            .warning,
            file: gap.tenant.map { "\(files.configDirectory)/tenants/\($0).json" } ?? files.serverFile,
            found: "the host \(JSONValue.string(gap.host).text)\(others) which no certificate covers",
            expected: "a certificate with that name under certificates in server.json",
            advice: "Whoever asks for it by name over TLS is refused."
        )
    }
}

extension Identity.Defect {
    /// What is said of it where it is served, or with `isFatal` where it is not.
    func wording(isFatal: Bool) -> (found: String, expected: String) {
        switch self {
        case .keyMismatch:
            ("a certificate of another key", "the certificate of that key first, then each issuer in turn")
        case .weakKey: ("a key that every client refuses as too short", "EC P-256, or RSA of 2048 bits or more")
        case .uncommonKey: ("a key that iOS or Android does not know", "EC P-256 or P-384, or RSA of 2048 bits or more")
        case .weakSignature(let index):
            ("as certificate \(index + 1) one that is signed over SHA-1 or MD5", "signatures over SHA-256 or better")
        case .authority: ("a certificate that may issue others", "one for a server: basic constraints CA:FALSE")
        case .leafOnly:
            ("a certificate without its intermediates", "the full chain: Android does not fetch what is missing")
        case .wrongOrder where isFatal:
            ("a chain without the issuer of its leaf", "one with it, as the chain that is served has")
        case .wrongOrder(let index):
            (
                "as certificate \(index + 1) one that did not issue the one before it",
                "the leaf, then each issuer in turn"
            )
        case .refused(let refusal, let index):
            ("\(Self.name(index)) \(refusal.wording.found)", refusal.wording.expected)
        case .notYetValid(let index):
            ("\(Self.name(index)) that is not valid yet: \(Self.refusal(index))", Self.validNow)
        case .expired(let days, let index):
            ("\(Self.name(index)) that expired \(Self.span(days)) ago: \(Self.refusal(index))", Self.validNow)
        case .expiresSoon(let days, let index):
            (
                "\(Self.name(index)) that expires in \(Self.span(days))",
                "one that is valid for \(Identity.soonDays) days or more"
            )
        case .holdsTooLong(let days):
            (
                "a certificate that is valid for \(days) days in all: iOS refuses it",
                "\(CertificateMaker.maximumDays) days or less, 398 of a public authority"
            )
        case .noNames:
            (
                "a certificate without subject alternative names",
                "one that names its hosts; the common name does not count"
            )
        case .vainWildcard(let name):
            (
                "the name \(JSONValue.string(name).text), which stands for no host",
                "a wildcard as *.chat.example: a whole label, with two or more after it"
            )
        case .notForServers: ("a certificate that is not for servers", "extended key usage serverAuth")
        case .mayNotSign:
            ("a certificate whose key may not sign, as every handshake needs", "key usage digitalSignature, or none")
        case .mustStaple:
            (
                "a certificate that demands an OCSP answer with each handshake, which is never sent here",
                "one without must-staple: clients that know it refuse this one"
            )
        }
    }

    private static func name(_ index: Int) -> String {
        index == 0 ? "a certificate" : "as certificate \(index + 1) one"
    }

    private static func refusal(_ index: Int) -> String {
        switch index {
        case 0: "every client refuses it"
        case 1: "clients refuse what it has issued"
        default: "clients that trust none before it refuse the chain"
        }
    }

    private static func span(_ days: Int) -> String {
        switch days {
        case 0: "less than a day"
        case 1: "1 day"
        default: "\(days) days"
        }
    }

    private static let validNow = "one that is valid now"

    func advice(_ files: Settings.CertificateFiles, isFatal: Bool) -> String? {
        let outcome = isFatal ? "The service keeps the valid one that it has." : "It is shown all the same."
        return switch self {
        case .keyMismatch: "The key was read from \(files.key)."
        case .expired(_, at: 0), .notYetValid(at: 0):
            "\(outcome) Renew it."
        case .expired(_, at: 1), .notYetValid(at: 1):
            "\(outcome) Get the authority's present one."
        case .expired, .notYetValid: "Leave it out if clients have that authority's root; else get its present one."
        default: nil
        }
    }
}

extension Identity.Refusal {
    /// What stands behind a certificate's name, and what should be there.
    fileprivate var wording: (found: String, expected: String) {
        switch self {
        case .mayNotIssue:
            (
                "that may not issue the one before it",
                "an authority: basic constraints CA:TRUE, and with key usage keyCertSign"
            )
        case .notForServers: ("that may not issue for servers", "extended key usage serverAuth, or none")
        case .pathTooLong:
            ("with more issuers before it than its path length allows", "the chain that the authority gives out")
        case .nameNotAllowed:
            ("for a name that an issuer's name constraints do not allow", "names that all of its issuers allow")
        case .unknownExtension:
            (
                "with a critical extension that clients don't know, so that they refuse it",
                "critical ones of RFC 5280 alone"
            )
        case .other(let words): ("that is refused: \(words)", "a chain that OpenSSL verifies")
        }
    }
}
