internal import JSON

/// Reads a tenant's `identity` entry: which keys sign, and in which files they are.
///
/// No key is read here.
struct IdentityReader {
    let secretsDirectory: String?

    static let kidPattern = "^[A-Za-z0-9._-]{1,64}$"

    func read(_ value: Located, rule: IdentityRule) -> TenantIdentity? {
        guard var reader = value.object else { return nil }
        let list = reader.value("secrets", required: true)
        reader.finish()
        guard let list, let elements = list.elements else { return nil }
        if elements.isEmpty { list.problems.report(.noSecrets(list)) }
        if secretsDirectory == nil { value.problems.report(.noSecretsDirectory(value)) }
        var seen: Set<String> = []
        let secrets = elements.compactMap { readSecret($0, seen: &seen) }
        return secrets.isEmpty ? nil : TenantIdentity(rule: rule, secrets: secrets)
    }

    private func readSecret(_ value: Located, seen: inout Set<String>) -> TenantIdentity.Secret? {
        guard var reader = value.object else { return nil }
        let kid = reader.value("kid", required: true).flatMap { readKid($0, seen: &seen) }
        let file = reader.value("file", required: true).flatMap(readFile)
        reader.finish()
        guard let kid, let file else { return nil }
        return TenantIdentity.Secret(kid: kid, file: file, path: secretsDirectory.map { $0 + "/" + file })
    }

    private func readKid(_ value: Located, seen: inout Set<String>) -> String? {
        guard let text = value.string else { return nil }
        let marks = Set("._-".utf8)
        guard (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0.isLetter || $0.isDigit || marks.contains($0) })
        else {
            value.problems.report(.notAKeyName(value))
            return nil
        }
        guard seen.insert(text).inserted else {
            value.problems.report(.repeatedKeyName(value))
            return nil
        }
        return text
    }

    private func readFile(_ value: Located) -> String? {
        guard case .string(let text) = value.node.content, FileName.isContained(text) else {
            value.problems.report(.notASecretFile(value))
            return nil
        }
        return text
    }
}
