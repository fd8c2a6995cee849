import Testing

@testable import Bridges

@Suite("Names, hosts, addresses and colours")
struct TextTests {
    @Test("A tenant's name is short, lower-case and begins with a letter or digit")
    func names() {
        for name in ["a", "0", "acme", "a-b-", "9lives", String(repeating: "a", count: 63)] {
            #expect(Name.isValid(name))
        }
        for name in [
            "", "-a", "A", "a_b", "a.b", "a b", "é", "\u{212A}", "a/b", "..", "a\n", String(repeating: "a", count: 64),
        ] {
            #expect(!Name.isValid(name))
        }
    }

    @Test(
        "A host is a DNS name as browsers send it",
        arguments: ["a", "chat.acme.example", "a-b.c", "1a.example", "xn--bcher-kva.example", "a.1b", "acme.localhost"]
    )
    func hosts(host: String) {
        #expect(HostName.isValid(host.utf8))
    }

    @Test(
        "What is no host is refused",
        arguments: [
            "", ".", "a.", ".a", "a..b", "A.example", "-a.b", "a-.b", "*.a.example", "a:443", "a/b", "https://a", "a b",
            "1.2.3.4",
            "a.1", "127.1", "0x7f", "a.0xff", "[::1]", "é.example", "a_b.example", "\u{212A}.example", "a\u{0}", "a\n",
            String(repeating: "a", count: 64), String(repeating: "ab.", count: 85),
        ]
    )
    func badHosts(host: String) {
        #expect(!HostName.isValid(host.utf8))
    }

    @Test("A host has at most 253 bytes")
    func hostLength() {
        let labels = String(repeating: "abc.", count: 63)
        #expect(HostName.isValid((labels + "a").utf8))
        #expect(!HostName.isValid((labels + "ab").utf8))
    }

    @Test("The origin of an https URL is its scheme, host and port")
    func urlOrigins() {
        #expect(WebURL.origin(of: "https://a.example/x.js?y=1#z") == "https://a.example")
        #expect(WebURL.origin(of: "https://a.example:8443") == "https://a.example:8443")
        #expect(WebURL.origin(of: "https://a.example?x") == "https://a.example")
        #expect(WebURL.origin(of: "https://a.example/%C3%A9/a+b,c;d=(e)") == "https://a.example")
    }

    @Test(
        "What is no https URL is refused",
        arguments: [
            "", "a.example", "http://a.example", "HTTPS://a.example", "https:/a.example", "https://", "https:///x",
            "//a.example",
            "https://u:p@a.example/", "https://a.example/a b", "https://a.example/\"", "https://a.example/'",
            "https://a.example/<",
            "https://a.example\\@b.example", "https://a.example/\\", "https://a.example/é", "https://é.example",
            "https://A.example",
            "https://1.2.3.4/", "https://a.example:99999/", "https://a.example/\n", "https://a.example/\u{0}",
            " https://a.example",
            "javascript:alert(1)", "javascript://a.example/%0aalert(1)", "data:text/html,x", "https://a.example/{x}",
            "https://*.a.example",
        ]
    )
    func badURLs(url: String) {
        #expect(WebURL.origin(of: url) == nil)
    }

    @Test("An origin is what a browser can send")
    func origins() {
        for origin in [
            "null", "https://a.example", "https://a.example:8443", "http://localhost:3000", "http://127.0.0.1:8080",
            "capacitor://localhost", "ionic://localhost",
        ] {
            #expect(WebOrigin.isValid(origin))
        }
        for origin in [
            "", "*", "NULL", "https://a.example/", "https://a.example:443", "http://a.example:80",
            "https://*.a.example", "a.example",
            "https://A.example", "https://a.example#", "https://u@a.example", "https://", "capacitor:", "null\n",
        ] {
            #expect(!WebOrigin.isValid(origin))
        }
    }

    @Test("A colour is one of CSS's forms that can carry nothing else")
    func colors() {
        for color in [
            "#fff", "#FFF8", "#2563eb", "#2563EB80", "rgb(37, 99, 235)", "rgb(37 99 235 / 50%)", "rgba(0,0,0,.5)",
            "hsl(217deg 91% 60%)", "hsla(217, 91%, 60%, 0.5)", "rebeccapurple", "red", "transparent",
        ] {
            #expect(Color.isValid(color))
        }
        for color in [
            "", "#", "#ff", "#fffff", "#ggg", "2563eb", "Red", "redd", "rgb()", "rgb(1,2,3", "rgb(1,2,3);",
            "url(https://a.example)",
            "rgb(url(x))", "var(--x)", "expression(alert(1))", "red;background:url(x)", "rgb(1,2,3)/**/",
            "lab(1 2 3 4 5)", "#fff\n",
        ] {
            #expect(!Color.isValid(color))
        }
    }

    @Test("A secret's file can't leave its folder")
    func files() {
        for file in ["a.secret", "acme/inbox.secret", "a", "a..b", "A_1-x.key"] { #expect(FileName.isContained(file)) }
        for file in ["", "/a", "../a", "a/../b", "a//b", "a/", ".a", "a/.b", "a b", "a\\b", "a\u{0}", "é", "..", "."] {
            #expect(!FileName.isContained(file))
        }
    }

    @Test("A page is a plain file name")
    func pages() {
        for name in ["a.html", "talk-chat_1.html"] { #expect(FileName.isPlain(name, ending: ".html")) }
        for name in ["", ".html", "a.htm", "../a.html", "a/b.html", "a.html/", "a.HTML", "é.html", "a b.html"] {
            #expect(!FileName.isPlain(name, ending: ".html"))
        }
    }

    @Test(
        "A pattern that engines read alike can be used",
        arguments: [
            "^$", "^[a-z]{1,3}$", "^(?:a|b)$", "^\\d+\\.\\w*\\s?$", "^[^/]+$", "^a{2,}$", "^[!-~]{1,256}$",
            "^[A-Za-z0-9._~+/=-]+$",
            "^(a)(b)?$", "^[a&b-]$",
        ]
    )
    func patterns(pattern: String) {
        #expect(PatternCache().isUsable(pattern))
    }

    @Test(
        "A pattern that they don't, or none, can't",
        arguments: [
            "", "a", "^a", "a$", "^[a$", "^(a$", "^a{3,2}$", "^\\p{L}$", "^(?i:a)$", "^(?=a)a$", "^(?<x>a)$",
            "^[[:alpha:]]$",
            "^[a-z&&[b]]$", "^a++$", "^a*+$", "^\\x41$", "^\\u0041$", "^(a)\\1$", "^é$", "^\\bA$", "^[]a]$", "^*$",
        ]
    )
    func badPatterns(pattern: String) {
        #expect(!PatternCache().isUsable(pattern))
    }

    @Test("Patterns match the whole text, scalar by scalar")
    func matching() {
        let cache = PatternCache()
        #expect(cache.matches("ab", "^[a-z]+$"))
        #expect(cache.matches("b", "^(?:a|b)$"))
        #expect(!cache.matches("ab\n", "^[a-z]+$"))
        #expect(!cache.matches("x\nab", "^[a-z]+$"))
        #expect(!cache.matches("\u{212A}", "^[A-Z]$"))
        #expect(!cache.matches("a\u{301}", "^[a-z]$"))
        #expect(!cache.matches("\u{0663}", "^\\d$"))
        #expect(!cache.matches("é", "^\\w$"))
        #expect(!cache.matches("e\u{301}", "^.$") && cache.matches("e\u{301}", "^..$"))
        #expect(!cache.matches("é", "^[^e][^e]$") && cache.matches("\r\n", "^\\r\\n$"))
    }
}
