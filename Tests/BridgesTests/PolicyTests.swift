import JSON
import PolicyScorers
import Testing

@testable import Bridges

@Suite("Policies")
struct PolicyTests {
    private let template = PageTemplate(
        name: "parley.html",
        head: [],
        tail: [],
        scriptHashes: ["'sha256-A='", "'sha256-B='"],
        styleHashes: []
    )

    private func builder(_ config: [String: JSONValue]) throws -> PolicyBuilder {
        let descriptor = try #require(Samples.descriptor(Fixture.descriptor).value)
        var values: [String: JSONValue] = ["scriptURL": "https://cdn.parley.example/v1/parley.js"]
        for (name, value) in config { values[name] = value }
        return PolicyBuilder(descriptor: descriptor, config: values)
    }

    private func sources(_ directive: Directive, _ config: [String: JSONValue]) throws -> [String] {
        let policy = try builder(config).policy(template: template, tenantSources: [:], reportPath: "/r")
        return policy.sources(of: directive) ?? []
    }

    @Test("The locked policy allows nothing")
    func locked() {
        #expect(
            Policy.locked.text
                == "default-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        #expect(CSPEvaluator.findings(Policy.locked.text) == [])
    }

    @Test("The first source takes the place of 'none', a repeated one changes nothing")
    func allowing() {
        var policy = Policy(closing: [.imgSrc])
        #expect(policy.text == "img-src 'none'")
        policy.allow("https://b.example", in: .imgSrc)
        policy.allow("https://a.example", in: .imgSrc)
        policy.allow("https://b.example", in: .imgSrc)
        policy.allow("data:", in: .fontSrc)
        #expect(policy.text == "img-src https://b.example https://a.example; font-src data:")
    }

    @Test("A policy is the same after it was written and read")
    func readAgain() {
        var policy = Policy.locked
        policy.allow("'sha256-A='", in: .scriptSrc)
        policy.allow("https://a.example", in: .scriptSrc)
        policy.allow("/r", in: .reportURI)
        #expect(Policy(text: policy.text) == policy)
    }

    @Test("A page's policy is written in one order, on one line")
    func wholeText() throws {
        let policy = try builder(["zone": "south", "sound": true, "chimeURL": "https://chime.acme.example:8443/a.mp3"])
            .policy(
                template: template,
                tenantSources: [.connectSrc: ["wss://x.acme.example"], .frameAncestors: ["capacitor://localhost"]],
                reportPath: "/reports/acme/parley"
            )
        #expect(
            policy.text == """
                default-src 'none'; \
                script-src 'sha256-A=' 'sha256-B=' 'strict-dynamic' https://cdn.parley.example; \
                style-src 'unsafe-inline'; \
                connect-src https://cdn.parley.example https://s.parley.example wss://x.acme.example; \
                img-src data: https://*.img.parley.example:8443/a/; \
                media-src https://chime.acme.example:8443; \
                base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors capacitor://localhost; \
                report-uri /reports/acme/parley; report-to bridgehost
                """
        )
    }

    @Test("Rules hold for the values they name, all of their settings together")
    func conditions() throws {
        let cdn = "https://cdn.parley.example"
        #expect(try sources(.connectSrc, ["zone": "south", "sound": true]) == [cdn, "https://s.parley.example"])
        #expect(
            try sources(.connectSrc, ["zone": "north", "sound": false])
                == [cdn, "https://n.parley.example", "wss://n.parley.example"]
        )
        #expect(
            try sources(.connectSrc, ["zone": "north", "sound": true])
                == [cdn, "https://n.parley.example", "wss://n.parley.example", "https://hum.parley.example"]
        )
    }

    @Test(
        "A value that no rule names, or none, gets the sources of all of them",
        arguments: ["west", nil] as [String?]
    )
    func union(zone: String?) throws {
        var config: [String: JSONValue] = ["sound": false]
        config["zone"] = zone.map(JSONValue.string)
        #expect(
            try sources(.connectSrc, config) == [
                "https://cdn.parley.example", "https://n.parley.example", "wss://n.parley.example",
                "https://s.parley.example",
            ]
        )
    }

    @Test("A URL setting that has no value adds nothing")
    func absentURL() throws {
        let policy = try builder(["zone": "south"]).policy(template: template, tenantSources: [:], reportPath: "/r")
        #expect(policy.sources(of: .mediaSrc) == nil)
    }

    @Test("Browser features are denied but for those that settings switch on")
    func permissions() throws {
        let on = try builder(["sound": true]).permissionsPolicy()
        let off = try builder(["sound": false]).permissionsPolicy()
        #expect(
            on.contains("microphone=(self \"https://cdn.parley.example\" \"https://voice.parley.example\"), midi=()")
        )
        #expect(off.contains("microphone=(), midi=()"))
        #expect(on.contains("autoplay=(self), camera=()") && off.contains("autoplay=(self), camera=()"))
        for feature in PermissionsPolicy.features where feature != "autoplay" {
            #expect(", \(off),".contains(", \(feature)=(),"))
        }
        #expect(PermissionsPolicy.features == PermissionsPolicy.features.sorted())
    }

    @Test("Inline styles are pinned by hash where the bridge does not allow all of them")
    func styleHashes() throws {
        let text = #"{"title":"S","page":"s.html","native":{"handler":"s","body":"text"}}"#
        let descriptor = try #require(Samples.descriptor(text).value)
        let pinned = PageTemplate(
            name: "s.html",
            head: [],
            tail: [],
            scriptHashes: ["'sha256-A='"],
            styleHashes: ["'sha256-S='"]
        )
        let policy = PolicyBuilder(descriptor: descriptor, config: [:])
            .policy(template: pinned, tenantSources: [:], reportPath: "/r")
        #expect(policy.sources(of: .styleSrc) == ["'sha256-S='"])
        #expect(CSPEvaluator.findings(policy.text) == [])
    }
}
