/// The scoring of Mozilla's HTTP Observatory (algorithm 6), written anew from its documented rules, for one https answer
/// whose http twin redirects as it should: header fields and body in, score out.
package enum Observatory {
    package struct Result: CustomStringConvertible {
        /// What each test added or took, by name.
        package let modifiers: [(test: String, modifier: Int)]

        /// Bonuses count only for those who would have 90 without any.
        package var score: Int {
            let base = 100 + modifiers.map(\.modifier).filter { $0 < 0 }.reduce(0, +)
            guard base >= 90 else { return max(0, base) }
            return base + modifiers.map(\.modifier).filter { $0 > 0 }.reduce(0, +)
        }

        package var description: String {
            "\(score): " + modifiers.map { "\($0.test) \($0.modifier)" }.joined(separator: ", ")
        }
    }

    package static func score(_ fields: [(name: String, value: String)], body: String) -> Result {
        let value = { (name: String) -> String? in
            let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        let policy = value("content-security-policy")
        let isHTML = value("content-type")?.lowercased().hasPrefix("text/html") ?? false
        return Result(modifiers: [
            ("csp", csp(policy)),
            ("hsts", hsts(value("strict-transport-security"))),
            ("nosniff", value("x-content-type-options")?.lowercased() == "nosniff" ? 0 : -5),
            ("framing", framing(policy, value("x-frame-options"))),
            ("referrer", referrer(value("referrer-policy"))),
            ("sri", isHTML ? integrity(body) : 0),
            (
                "corp",
                isolation(
                    value("cross-origin-resource-policy"),
                    good: ["same-origin", "same-site"],
                    neutral: ["cross-origin"]
                )
            ),
            (
                "coep",
                isolation(
                    value("cross-origin-embedder-policy"),
                    good: ["require-corp", "credentialless"],
                    neutral: ["unsafe-none"]
                )
            ),
            (
                "coop",
                isolation(
                    value("cross-origin-opener-policy"),
                    good: ["same-origin", "same-origin-allow-popups", "noopener-allow-popups"],
                    neutral: ["unsafe-none"]
                )
            ),
            ("cookies", cookies(fields.filter { $0.name.lowercased() == "set-cookie" }.map(\.value))),
        ])
    }

    // MARK: Content-Security-Policy

    private static func csp(_ policy: String?) -> Int {
        guard let policy, !policy.contains(",") else { return -25 }
        let names = policy.split(separator: ";").compactMap { $0.split(separator: " ").first?.lowercased() }
        let directives = CSPEvaluator.parse(policy)
        guard !directives.isEmpty else { return -25 }
        let scripts = judged(directives["script-src"] ?? directives["default-src"])
        let objects = directives["object-src"] ?? directives["default-src"]
        let styles = judged(directives["style-src"] ?? directives["default-src"])
        guard let scripts, let objects, isDynamicFounded(directives["script-src"] ?? []) else { return -20 }
        if !broad.isDisjoint(with: scripts) || scripts.contains("'unsafe-inline'") || scripts.contains("data:") {
            return -20
        }
        if !broad.isDisjoint(with: objects) { return -20 }
        if insecure(directives, ["script-src", "style-src", "connect-src", "font-src", "frame-src", "object-src"]) {
            return -20
        }
        if scripts.contains("'unsafe-eval'") { return -10 }
        if insecure(directives, ["img-src", "media-src"]) { return -10 }
        if Set(names).count != names.count { return 0 }
        let isStyleUnsafe = styles.map {
            $0.contains("'unsafe-inline'") || $0.contains("data:") || !broad.isDisjoint(with: $0)
        }
        if isStyleUnsafe ?? true { return 0 }
        return directives["default-src"] == ["'none'"] ? 10 : 5
    }

    private static let broad: Set<String> = ["*", "http:", "https:", "ftp:", "http://*", "https://*"]

    /// Sources as they count: inline ones not beside a nonce or hash, hosts and schemes not beside `'strict-dynamic'`.
    private static func judged(_ sources: [String]?) -> [String]? {
        guard let sources else { return nil }
        let isPinned = sources.contains { $0.hasPrefix("'nonce-") || $0.hasPrefix("'sha") }
        let isDynamic = sources.contains("'strict-dynamic'")
        return sources.filter { source in
            if source == "'unsafe-inline'" { return !isPinned && !isDynamic }
            return !isDynamic || (source.hasPrefix("'") && source != "'self'")
        }
    }

    private static func isDynamicFounded(_ scripts: [String]) -> Bool {
        !scripts.contains("'strict-dynamic'") || scripts.contains { $0.hasPrefix("'nonce-") || $0.hasPrefix("'sha") }
    }

    private static func insecure(_ directives: [String: [String]], _ names: [String]) -> Bool {
        names.contains { (directives[$0] ?? []).contains { $0.hasPrefix("http:") || $0.hasPrefix("ftp:") } }
    }

    // MARK: Other fields

    private static func hsts(_ value: String?) -> Int {
        guard let value, !value.contains(",") else { return -20 }
        let parts = value.lowercased().split(separator: ";").map { $0.drop { $0 == " " } }
        guard let age = parts.first(where: { $0.hasPrefix("max-age=") }).flatMap({ Int($0.dropFirst(8)) }) else {
            return -20
        }
        return age >= 15_552_000 ? 0 : -10
    }

    private static func framing(_ policy: String?, _ options: String?) -> Int {
        if policy.map({ CSPEvaluator.parse($0)["frame-ancestors"] != nil }) ?? false { return 5 }
        guard let options = options?.lowercased() else { return -20 }
        return ["deny", "sameorigin"].contains(options) ? 5 : -20
    }

    private static func referrer(_ value: String?) -> Int {
        guard let value else { return 0 }
        let safe = ["no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"]
        let unsafe = ["origin", "origin-when-cross-origin", "unsafe-url", "no-referrer-when-downgrade"]
        let tokens = value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
        guard let last = tokens.last(where: { (safe + unsafe).contains($0) }) else { return -5 }
        return safe.contains(last) ? 5 : -5
    }

    private static func isolation(_ value: String?, good: [String], neutral: [String]) -> Int {
        guard let value = value?.lowercased() else { return 0 }
        if good.contains(value) { return 10 }
        return neutral.contains(value) ? 0 : -5
    }

    private static func cookies(_ values: [String]) -> Int {
        if values.isEmpty { return 0 }
        let attributes = values.map { value in
            Set(value.lowercased().split(separator: ";").dropFirst().map { $0.drop { $0 == " " }.prefix { $0 != "=" } })
        }
        if attributes.contains(where: { !$0.contains("secure") }) { return -40 }
        return attributes.allSatisfy { $0.contains("httponly") && $0.contains("samesite") } ? 5 : 0
    }

    /// Script elements with an address, each by its tag alone.
    private static func integrity(_ body: String) -> Int {
        let tags = body.lowercased().split(separator: "<").filter { $0.hasPrefix("script") }
            .map { $0.prefix { $0 != ">" } }.filter { $0.contains("src=") }
        let foreign = tags.filter { $0.contains("//") }
        if foreign.contains(where: { !$0.contains("https://") && !$0.contains("integrity=") }) { return -50 }
        if foreign.contains(where: { !$0.contains("integrity=") }) { return -5 }
        return !tags.isEmpty && tags.allSatisfy { $0.contains("integrity=") } ? 5 : 0
    }
}
