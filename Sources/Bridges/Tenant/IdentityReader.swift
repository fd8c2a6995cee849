internal import Crypto
internal import JSON

/// Reads a tenant's `identity` entry: which keys sign, and the keys from their files.
struct IdentityReader {
    let secretsDirectory: String?
    let files: KnownFiles

    static let kidPattern = "^[A-Za-z0-9._-]{1,64}$"

    /// The keys that can be used, in their order; a key that was pasted anywhere here is in no problem's text.
    func read(_ value: Located) -> [SigningKey] {
        guard var reader = value.confidential.object else { return [] }
        let list = reader.value("secrets", required: true)
        reader.finish()
        guard let list, let elements = list.elements else { return [] }
        if elements.isEmpty { list.problems.report(.noSecrets(list)) }
        if secretsDirectory == nil { value.problems.report(.noSecretsDirectory(value)) }
        var seen: Set<String> = []
        return elements.compactMap { readKey($0, seen: &seen) }
    }

    private func readKey(_ value: Located, seen: inout Set<String>) -> SigningKey? {
        guard var reader = value.object else { return nil }
        let kid = reader.value("kid", required: true).flatMap { readKid($0, seen: &seen) }
        let secret = reader.value("file", required: true).flatMap(readFile)
        reader.finish()
        guard let kid, let secret else { return nil }
        return SigningKey(kid: kid, secret: secret)
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

    private func readFile(_ value: Located) -> Secret? {
        guard case .string(let file) = value.node.content, FileName.isContained(file) else {
            value.problems.report(.notASecretFile(value))
            return nil
        }
        return secretsDirectory.flatMap { SecretReader(directory: $0, files: files).read(file, namedBy: value) }
    }
}
