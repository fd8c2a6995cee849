@testable import Bridges

/// A policy as browsers read it: every source stands in the directive that it was written for, and none is too broad.
enum PolicyText {
    static func check(_ policy: String) {
        checkBytes(policy)
        var names: Set<String> = []
        for directive in policy.split(separator: ";", omittingEmptySubsequences: false) {
            let words = directive.split(separator: " ")
            let name = String(words.first ?? "")
            expect(Directive(rawValue: name) != nil, "no directive: \(name) in \(policy)")
            expect(names.insert(name).inserted, "\(name) twice in \(policy)")
            expect(words.count > 1, "nothing in \(name) of \(policy)")
            for source in words.dropFirst() { check(source, in: name, of: policy) }
        }
        for directive in [Directive.defaultSrc, .scriptSrc, .baseURI, .objectSrc, .formAction, .frameAncestors] {
            expect(names.contains(directive.rawValue), "no \(directive.rawValue) in \(policy)")
        }
    }

    static func checkPermissions(_ policy: String) {
        checkBytes(policy.filter { $0 != "," })
        let features = policy.split(separator: ",").map { $0.prefix { $0 != "=" }.drop { $0 == " " } }
        expect(features.elementsEqual(PermissionsPolicy.features) { $0 == $1 }, "other features in \(policy)")
    }

    private static func checkBytes(_ policy: String) {
        let isPlain = policy.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ",") }
        expect(isPlain, "a character that may end the field in \(policy.debugDescription)")
    }

    private static func check(_ source: Substring, in directive: String, of policy: String) {
        let broad = ["*", "http:", "https:", "ws:", "wss:", "https://*", "'unsafe-eval'", "'unsafe-hashes'"]
        expect(!broad.contains(String(source)), "\(source) in \(policy)")
        let isInline = source == "'unsafe-inline'"
        expect(!isInline || directive == "style-src", "\(source) in \(directive) of \(policy)")
        let isForData = ["img-src", "font-src", "media-src", "worker-src"].contains(directive)
        expect(isForData || source != "data:" && source != "blob:", "\(source) in \(directive) of \(policy)")
    }
}
