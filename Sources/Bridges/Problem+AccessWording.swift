internal import JSON

// The wording of what can be wrong with a tenant's tokens, origins and keys.

extension Problem {
    static func notATokenDigest(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "\"sha256:\" and the 64 hexadecimal digits of the token's digest",
            advice: "bridgehost token makes both."
        )
    }

    static func notAnOrigin(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "an origin as browsers send it, scheme://host[:port] in lower case, or \"null\"",
            advice: "No path, no final slash, no default port, no wildcard."
        )
    }

    static func noIdentityHere(_ value: Located, bridge: String) -> Problem {
        .wrongValue(
            value,
            expected: "no identity: the bridge \(quoted(bridge)) signs none"
        )
    }

    static func noSecrets(_ value: Located) -> Problem {
        .wrongValue(value, expected: "at least one key")
    }

    static func noSecretsDirectory(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "a secretsDirectory in server.json",
            severity: .warning,
            advice: "Without it no identity is signed."
        )
    }

    static func notAKeyName(_ value: Located) -> Problem {
        .wrongValue(value, expected: "1 to 64 letters, digits, dots, hyphens, underscores")
    }

    static func repeatedKeyName(_ value: Located) -> Problem {
        .wrongValue(value, expected: "each kid once")
    }

    static func notASecretFile(_ value: Located) -> Problem {
        .wrongValue(
            value,
            expected: "the name of a file in secretsDirectory, such as \"acme-inbox.secret\"",
            advice: "No leading slash, no .., no hidden file."
        )
    }

    // MARK: Keys' files

    // Their names are not shown: a key may have been pasted in place of one.

    static func unreadableSecret(_ value: Located, reason: String) -> Problem {
        Problem(
            at: value.valuePlace,
            found: "a file that can't be read: \(reason)",
            expected: "a file in secretsDirectory with the key"
        )
    }

    static func unusableSecret(_ value: Located, _ defect: SecretReader.Defect) -> Problem {
        let found =
            switch defect {
            case .outside: "a link that leads out of secretsDirectory"
            case .empty: "a file without a key"
            case .lineBreak: "a file of several lines"
            }
        return Problem(
            at: value.valuePlace,
            found: found,
            expected: "a file in secretsDirectory with the key alone, on one line",
            advice: "One line end at the end is fine; every other byte is part of the key."
        )
    }

    static func worldReadableSecret(_ value: Located) -> Problem {
        Problem(
            .warning,
            at: value.valuePlace,
            found: "a file that every user of the machine can read",
            expected: "a file for the service alone",
            advice: "chmod o-r, or defaultMode 0440 in Kubernetes."
        )
    }
}
