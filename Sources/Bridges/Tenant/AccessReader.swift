internal import JSON

/// Reads a tenant's `access`: who may use its API.
enum AccessReader {
    static let tokenPattern = "^sha256:[0-9A-Fa-f]{64}$"

    static func read(_ value: Located) -> Access? {
        guard value.confidential.object != nil, var reader = value.object else { return nil }
        let tokens = reader.value("tokens")?.confidential.elements?.compactMap(readToken) ?? []
        let origins = reader.value("origins")?.elements?.compactMap(readOrigin) ?? []
        reader.finish()
        return Access(tokens: tokens, origins: origins)
    }

    private static func readToken(_ value: Located) -> [UInt8]? {
        guard case .string(let text) = value.node.content, let digest = digest(text.utf8) else {
            value.problems.report(.notATokenDigest(value))
            return nil
        }
        return digest
    }

    private static func digest(_ text: String.UTF8View) -> [UInt8]? {
        let digits = Array(text.dropFirst(7))
        guard text.starts(with: "sha256:"), digits.count == 64, digits.allSatisfy(\.isHexadecimalDigit) else {
            return nil
        }
        return stride(from: 0, to: 64, by: 2).map { value(of: digits[$0]) << 4 | value(of: digits[$0 + 1]) }
    }

    private static func value(of digit: UInt8) -> UInt8 {
        digit.isDigit ? digit - 0x30 : digit.lowercased - 0x61 + 10
    }

    private static func readOrigin(_ value: Located) -> String? {
        guard let text = value.string else { return nil }
        guard WebOrigin.isValid(text) else {
            value.problems.report(.notAnOrigin(value))
            return nil
        }
        return text
    }
}
