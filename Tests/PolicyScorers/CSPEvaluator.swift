/// The checks of Google's CSP Evaluator, written anew from its documented rules: a policy's text in, findings out.
package enum CSPEvaluator {
    /// How bad a finding is; lower is worse.
    package enum Severity: Int, Comparable {
        case high = 10
        case syntax = 20
        case medium = 30
        case highMaybe = 40
        case mediumMaybe = 50
        case info = 60

        package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    package struct Finding: Hashable, CustomStringConvertible {
        package let severity: Severity
        package let directive: String
        package let what: String

        package var description: String { "\(severity) in \(directive): \(what)" }
    }

    /// All that is wrong with a policy as an engine of CSP 3 sees it.
    package static func findings(_ policy: String) -> [Finding] {
        let directives = parse(policy)
        let seen = directives.mapValues(asSeenByCSP3)
        return syntaxFindings(directives) + missingFindings(seen) + scriptFindings(seen) + plugInFindings(seen)
            + sourceFindings(seen)
    }

    // MARK: Reading

    /// Directives by name; of a repeated one, engines take the first.
    package static func parse(_ policy: String) -> [String: [String]] {
        var result: [String: [String]] = [:]
        for part in policy.split(separator: ";") {
            let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let name = words.first?.lowercased(), result[name] == nil else { continue }
            result[name] = Array(words.dropFirst())
        }
        return result
    }

    private static func asSeenByCSP3(_ sources: [String]) -> [String] {
        let isDynamic = sources.contains("'strict-dynamic'")
        let isPinned = sources.contains { isNonce($0) || isHash($0) }
        return sources.filter { source in
            if source == "'unsafe-inline'" { return !isPinned && !isDynamic }
            if isDynamic { return source.hasPrefix("'") && source != "'self'" }
            return true
        }
    }

    private static func isNonce(_ source: String) -> Bool { source.hasPrefix("'nonce-") }
    private static func isHash(_ source: String) -> Bool {
        ["'sha256-", "'sha384-", "'sha512-"].contains { source.hasPrefix($0) }
    }

    /// The sources that rule a directive, its own or those of its fallback.
    private static func effective(_ name: String, in directives: [String: [String]]) -> [String]? {
        directives[name] ?? (name == "base-uri" ? nil : directives["default-src"])
    }

    // MARK: Syntax

    private static let known: Set<String> = [
        "default-src", "script-src", "script-src-elem", "script-src-attr", "style-src", "style-src-elem",
        "style-src-attr",
        "connect-src", "img-src", "media-src", "font-src", "frame-src", "child-src", "worker-src", "manifest-src",
        "object-src", "base-uri", "form-action", "frame-ancestors", "report-uri", "report-to", "sandbox",
        "upgrade-insecure-requests", "block-all-mixed-content", "require-trusted-types-for", "trusted-types",
        "navigate-to", "plugin-types", "require-sri-for",
    ]
    private static let deprecated: Set<String> = ["reflected-xss", "referrer", "disown-opener", "prefetch-src"]
    private static let keywords: Set<String> = [
        "'none'", "'self'", "'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'", "'wasm-unsafe-eval'",
        "'strict-dynamic'",
        "'report-sample'", "'script'", "'allow-duplicates'",
    ]

    private static func syntaxFindings(_ directives: [String: [String]]) -> [Finding] {
        directives.flatMap { name, sources -> [Finding] in
            var findings: [Finding] = []
            if deprecated.contains(name) {
                findings.append(Finding(severity: .info, directive: name, what: "deprecated"))
            } else if !known.contains(name) {
                findings.append(Finding(severity: .syntax, directive: name, what: "unknown directive"))
            }
            return findings + sources.compactMap { invalid($0, in: name) }
        }
    }

    private static func invalid(_ source: String, in directive: String) -> Finding? {
        if known.contains(source) {
            return Finding(severity: .syntax, directive: directive, what: "no semicolon before \(source)")
        }
        if ["self", "none", "unsafe-inline", "strict-dynamic"].contains(source) || source.hasPrefix("nonce-") {
            return Finding(severity: .syntax, directive: directive, what: "\(source) without quotes")
        }
        guard source.hasPrefix("'") else { return nil }
        if keywords.contains(source) || isNonce(source) || isHash(source) { return nil }
        return Finding(severity: .syntax, directive: directive, what: "unknown keyword \(source)")
    }

    // MARK: What must be there

    private static func missingFindings(_ directives: [String: [String]]) -> [Finding] {
        var findings: [Finding] = []
        for name in ["script-src", "object-src"] where effective(name, in: directives) == nil {
            findings.append(Finding(severity: .high, directive: name, what: "missing"))
        }
        let scripts = effective("script-src", in: directives) ?? []
        let needsBase =
            scripts.contains(where: isNonce)
            || (scripts.contains(where: isHash) && scripts.contains("'strict-dynamic'"))
        if needsBase, directives["base-uri"] == nil {
            findings.append(Finding(severity: .high, directive: "base-uri", what: "missing beside a nonce or hash"))
        }
        return findings
    }

    // MARK: What must not be there

    private static func scriptFindings(_ directives: [String: [String]]) -> [Finding] {
        (effective("script-src", in: directives) ?? []).compactMap { source in
            let severity: Severity? =
                switch source {
                case "'unsafe-inline'": .high
                case "'unsafe-eval'", "'unsafe-hashes'", "'self'": .mediumMaybe
                default: isHost(source) ? .mediumMaybe : nil
                }
            return severity.map { Finding(severity: $0, directive: "script-src", what: source) }
        }
    }

    private static func plugInFindings(_ directives: [String: [String]]) -> [Finding] {
        guard let sources = effective("object-src", in: directives), sources != ["'none'"], !sources.isEmpty else {
            return []
        }
        return [Finding(severity: .mediumMaybe, directive: "object-src", what: "not 'none'")]
    }

    private static func sourceFindings(_ directives: [String: [String]]) -> [Finding] {
        let strict = ["script-src", "script-src-elem", "script-src-attr", "object-src", "base-uri"]
        let broad = strict.flatMap { name in
            (effective(name, in: directives) ?? [])
                .filter { ["*", "data:", "http:", "https:"].contains($0.lowercased()) }
                .map { Finding(severity: .high, directive: name, what: $0) }
        }
        let others = directives.flatMap { name, sources in
            sources.flatMap { source -> [Finding] in
                var findings: [Finding] = []
                if source.lowercased().hasPrefix("http://") {
                    findings.append(Finding(severity: .medium, directive: name, what: source))
                }
                if isAddress(source) { findings.append(Finding(severity: .info, directive: name, what: source)) }
                if isNonce(source), source.utf8.count < 7 + 8 + 1 {
                    findings.append(Finding(severity: .medium, directive: name, what: "short nonce"))
                }
                return findings
            }
        }
        return broad + others
    }

    private static func isHost(_ source: String) -> Bool {
        !source.hasPrefix("'") && !source.hasSuffix(":") && source != "*"
    }

    private static func isAddress(_ source: String) -> Bool {
        let rest = source.split(separator: "/").dropFirst(source.contains("://") ? 1 : 0).first ?? ""
        let host = rest.split(separator: ":").first ?? ""
        let labels = host.split(separator: ".")
        return labels.count == 4 && labels.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
