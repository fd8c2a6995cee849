import Testing

@testable import Bridges

@Suite("Policy sources")
struct PolicySourceTests {
    private typealias Refusal = PolicySource.Refusal

    @Test(
        "Both authors may name hosts",
        arguments: [
            "https://a.example", "https://a.b-c.example:8443", "https://a.example/path/x.js", "https://a.example/p/",
            "https://*.a.example", "https://*.a.example:443/x", "https://localhost:8443",
            "https://xn--bcher-kva.example",
            "https://a.example/%7Ex/(y)!",
        ]
    )
    func hosts(source: String) {
        for directive in [Directive.connectSrc, .imgSrc, .mediaSrc, .fontSrc, .frameSrc, .styleSrc] {
            #expect(PolicySource.refusal(of: source, in: directive, by: .tenant) == nil)
            #expect(PolicySource.refusal(of: source, in: directive, by: .descriptor) == nil)
        }
    }

    @Test(
        "Nobody may write what could begin another source or directive",
        arguments: [
            "", " ", "https://a.example ", " https://a.example", "https://a.example https://b.example",
            "https://a.example;",
            "https://a.example; script-src *", "https://a.example,https://b.example", "https://a.example\n",
            "https://a.example\r\nX: y",
            "https://a.example\t", "https://a.example\u{0}", "https://a.example/\"x", "https://a.example/'x", "'", "''",
            "https://a.example/<x>", "https://a.example\\b", "https://a.example/`", "https://é.example",
            "https://a.example/é",
            "https://\u{212A}.example", "https://a.example\u{A0}", "https://a.example\u{2028}",
            "\u{FEFF}https://a.example",
            "https://a.example\u{7F}", "'unsafe-inline' https://a.example", "'sha256-abc='",
        ]
    )
    func smuggling(source: String) {
        for directive in Directive.ofDescriptors {
            for author in [PolicySource.Author.descriptor, .tenant] {
                #expect(PolicySource.refusal(of: source, in: directive, by: author) == .smuggling)
            }
        }
    }

    @Test(
        "Nobody may allow everything",
        arguments: [
            "*", "https:", "http:", "wss:", "https://*", "https://*:443", "https://*/x", "https://", "https://:8443",
            "a:",
        ]
    )
    func broad(source: String) {
        for directive in Directive.ofDescriptors {
            for author in [PolicySource.Author.descriptor, .tenant] {
                #expect(PolicySource.refusal(of: source, in: directive, by: author) == .broad)
            }
        }
    }

    @Test(
        "Keywords are the service's own",
        arguments: [
            "'unsafe-eval'", "'unsafe-hashes'", "'strict-dynamic'", "'self'", "'none'", "'wasm-unsafe-eval'",
            "'report-sample'",
            "'UNSAFE-INLINE'", "'nonce-abc'",
        ]
    )
    func keywords(source: String) {
        for directive in Directive.ofDescriptors {
            for author in [PolicySource.Author.descriptor, .tenant] {
                #expect(PolicySource.refusal(of: source, in: directive, by: author) == .keyword)
            }
        }
    }

    @Test("Inline styles are a descriptor's to allow, and nothing else inline is")
    func unsafeInline() {
        for directive in Directive.ofDescriptors {
            let isStyle = directive == .styleSrc
            #expect(
                PolicySource.refusal(of: "'unsafe-inline'", in: directive, by: .descriptor)
                    == (isStyle ? nil : .keyword)
            )
            #expect(PolicySource.refusal(of: "'unsafe-inline'", in: directive, by: .tenant) == .keyword)
        }
    }

    @Test("data: and blob: are a descriptor's to allow, where nothing runs or frames", arguments: ["data:", "blob:"])
    func dataSchemes(source: String) {
        let allowed: Set<Directive> = [.imgSrc, .fontSrc, .mediaSrc, .workerSrc]
        for directive in Directive.ofDescriptors {
            #expect(
                PolicySource.refusal(of: source, in: directive, by: .descriptor)
                    == (allowed.contains(directive) ? nil : .scheme)
            )
            #expect(PolicySource.refusal(of: source, in: directive, by: .tenant) == .scheme)
        }
    }

    @Test("wss is for connections")
    func webSockets() {
        #expect(PolicySource.refusal(of: "wss://a.example/x", in: .connectSrc, by: .tenant) == nil)
        for directive in Directive.ofDescriptors where directive != .connectSrc {
            #expect(PolicySource.refusal(of: "wss://a.example", in: directive, by: .tenant) == .scheme)
        }
    }

    @Test(
        "Other schemes load nothing",
        arguments: [
            "http://a.example", "ws://a.example", "ftp://a.example", "file://a.example", "capacitor://localhost",
        ]
    )
    func otherSchemes(source: String) {
        for directive in Directive.ofDescriptors where directive != .frameAncestors {
            #expect(PolicySource.refusal(of: source, in: directive, by: .descriptor) == .scheme)
        }
    }

    @Test("An app's scheme may frame the page, the network's may not")
    func ancestors() {
        for source in [
            "capacitor://localhost", "ionic://localhost", "app://acme", "com.acme.app://x", "https://a.example:8443",
        ] {
            #expect(PolicySource.refusal(of: source, in: .frameAncestors, by: .tenant) == nil)
        }
        for source in ["http://a.example", "wss://a.example", "file://a", "data://a", "javascript://a", "blob://a"] {
            #expect(PolicySource.refusal(of: source, in: .frameAncestors, by: .tenant) == .scheme)
        }
        #expect(PolicySource.refusal(of: "https://a.example/x", in: .frameAncestors, by: .tenant) == .path)
        #expect(PolicySource.refusal(of: "https://a.example/", in: .frameAncestors, by: .tenant) == .path)
    }

    @Test(
        "A wildcard is the first label, with two or more after it",
        arguments: [
            "https://*.example", "https://a.*.example", "https://*a.example", "https://*.*.example",
            "https://a.example.*",
        ]
    )
    func wildcards(source: String) {
        #expect(PolicySource.refusal(of: source, in: .imgSrc, by: .tenant) == .wildcard)
    }

    @Test(
        "A host is a name in lower case",
        arguments: [
            "https://A.example", "https://a..example", "https://a.example.", "https://-a.example", "https://a-.example",
            "https://a_b.example", "https://10.0.0.1", "https://0x7f.1", "https://1", "https://*.0.1", "https://[::1]x",
            "https://a%2eexample", "https://" + String(repeating: "a", count: 64) + ".example",
        ]
    )
    func badHosts(source: String) {
        #expect([.host, .form].contains(PolicySource.refusal(of: source, in: .imgSrc, by: .tenant)))
    }

    @Test(
        "No credentials, no port out of range, no bare host",
        arguments: [
            "https://u@a.example", "https://u:p@a.example", "https://a.example:0", "https://a.example:65536",
            "https://a.example:",
            "https://a.example:08", "https://a.example:*", "https://a.example:443x", "a.example", "//a.example",
            "HTTPS://a.example",
            "https:a.example", "https:/a.example",
        ]
    )
    func form(source: String) {
        let refusal = PolicySource.refusal(of: source, in: .imgSrc, by: .tenant)
        #expect(refusal == .form || refusal == .broad)
    }

    @Test(
        "A path has no query, no fragment and no odd character",
        arguments: ["?x", "/a?x", "/a#x", "#x", "/a|b", "/{x}", "/a^"]
    )
    func paths(tail: String) {
        #expect(PolicySource.refusal(of: "https://a.example\(tail)", in: .imgSrc, by: .tenant) == .path)
    }
}
