import PolicyScorers
import Testing

/// The scorers are trusted by other tests, so they are shown to find what they should.
@Suite("The scorers")
struct ScorersTests {
    @Test(
        "CSP Evaluator's rules find what is weak",
        arguments: [
            ("", "high in script-src: missing"),
            ("script-src 'none'", "high in object-src: missing"),
            ("default-src 'none'; script-src 'unsafe-inline'", "high in script-src: 'unsafe-inline'"),
            ("default-src 'none'; script-src https:", "high in script-src: https:"),
            ("default-src 'none'; script-src *", "high in script-src: *"),
            ("default-src 'none'; script-src 'self'", "mediumMaybe in script-src: 'self'"),
            ("default-src 'none'; script-src https://a.example", "mediumMaybe in script-src: https://a.example"),
            ("default-src 'none'; script-src 'unsafe-eval'", "mediumMaybe in script-src: 'unsafe-eval'"),
            (
                "default-src 'none'; script-src 'sha256-x' 'strict-dynamic'",
                "high in base-uri: missing beside a nonce or hash"
            ),
            ("default-src 'none'; object-src 'self'", "mediumMaybe in object-src: not 'none'"),
            ("default-src 'none'; img-src http://a.example", "medium in img-src: http://a.example"),
            ("default-src 'none'; img-src https://10.0.0.1:8443/x", "info in img-src: https://10.0.0.1:8443/x"),
            ("default-src 'none'; image-src 'self'", "syntax in image-src: unknown directive"),
            ("default-src 'none' script-src", "syntax in default-src: no semicolon before script-src"),
            ("default-src none", "syntax in default-src: none without quotes"),
            ("default-src 'nune'", "syntax in default-src: unknown keyword 'nune'"),
            ("default-src 'none'; script-src 'nonce-abc'; base-uri 'none'", "medium in script-src: short nonce"),
        ]
    )
    func evaluator(policy: String, finding: String) {
        #expect(CSPEvaluator.findings(policy).map(\.description).contains(finding))
    }

    @Test("CSP Evaluator's rules find nothing in a strict policy")
    func evaluatorAccepts() {
        let policy =
            "default-src 'none'; script-src 'sha256-x' 'strict-dynamic' https://a.example 'unsafe-inline'; base-uri 'none'"
        #expect(CSPEvaluator.findings(policy) == [])
    }

    private static let good: [(name: String, value: String)] = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ("Strict-Transport-Security", "max-age=31536000; includeSubDomains"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "strict-origin-when-cross-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin-allow-popups"),
    ]

    private func score(without name: String = "", with field: (String, String)? = nil, body: String = "") -> Int {
        let fields = Self.good.filter { $0.name != name } + [field].compactMap { $0.map { (name: $0.0, value: $0.1) } }
        return Observatory.score(fields, body: body).score
    }

    @Test("The Observatory's rules add up")
    func observatory() {
        #expect(score() == 140)
        #expect(score(with: ("Cross-Origin-Embedder-Policy", "require-corp")) == 150)
        #expect(score(without: "X-Content-Type-Options") == 135)
        #expect(score(without: "Strict-Transport-Security") == 80)
        #expect(score(without: "Content-Security-Policy") == 55)
        #expect(score(without: "Referrer-Policy", with: ("Referrer-Policy", "unsafe-url")) == 130)
        #expect(score(with: ("Set-Cookie", "a=b")) == 60)
        #expect(score(with: ("Set-Cookie", "a=b; Secure; HttpOnly; SameSite=Lax")) == 145)
        #expect(score(body: "<script src=\"https://a.example/x.js\"></script>") == 135)
        #expect(score(body: "<script src=\"//a.example/x.js\"></script>") == 50)
        #expect(score(body: "<script src=\"https://a.example/x.js\" integrity=\"sha384-x\"></script>") == 145)
    }

    @Test(
        "The Observatory's rules judge a policy",
        arguments: [
            ("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'", 130),
            ("default-src 'self'; frame-ancestors 'none'", 135),
            ("default-src 'none'; img-src http://a.example; frame-ancestors 'none'", 120),
            ("default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'none'", 80),
            ("default-src 'none'; script-src 'strict-dynamic'; frame-ancestors 'none'", 80),
            ("default-src 'none'; script-src 'sha256-x' 'strict-dynamic' https:; frame-ancestors 'none'", 140),
            ("default-src 'none'; default-src 'none'; frame-ancestors 'none'", 130),
            ("default-src 'none'", 80),
        ]
    )
    func observatoryPolicies(policy: String, expected: Int) {
        #expect(score(without: "Content-Security-Policy", with: ("Content-Security-Policy", policy)) == expected)
    }
}
