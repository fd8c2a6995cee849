import JSON
import Testing

@testable import Bridges

@Suite("Tenants' files")
struct TenantTests {
    private func problems(_ text: String) -> [String] { Samples.tenant(text).problems }

    private func config(_ settings: String) throws -> [String: JSONValue] {
        let result = Samples.tenant(Samples.settings(settings))
        return try #require(result.draft?.bridges.first).config
    }

    @Test("Defaults stand where the tenant says nothing; what neither says is absent")
    func defaults() throws {
        #expect(
            try config("") == [
                "room": "hall", "zone": "north", "sound": true, "scriptURL": "https://cdn.parley.example/v1/parley.js",
            ]
        )
        #expect(try config(#""sound":false,"size":7"#)["sound"] == false)
        #expect(try config(#""sound":false,"size":7"#)["size"] == 7)
    }

    @Test("False and absent stay two things")
    func falseAndAbsent() throws {
        let absent = Samples.tenant(#"{"bridges":{"envoy":{"settings":{"inbox":"i"}}}}"#).draft?.bridges.first?.config
        let given = Samples.tenant(#"{"bridges":{"envoy":{"settings":{"inbox":"i","quiet":false}}}}"#).draft?.bridges
            .first?.config
        #expect(absent == ["inbox": "i"])
        #expect(given == ["inbox": "i", "quiet": false])
    }

    @Test(
        "A value that a setting can't have is told with what it can",
        arguments: [
            (#""sound":1"#, "$.bridges.parley.settings.sound: found the number 1; expected true or false."),
            (#""sound":"true""#, "found the string \"true\"; expected true or false."),
            (#""sound":null"#, "found null; expected true or false."),
            (#""size":1.0"#, "found the number 1.0; expected an integer from 1 to 64."),
            (#""size":65"#, "found the number 65; expected an integer from 1 to 64."),
            (#""size":true"#, "found the boolean true; expected an integer from 1 to 64."),
            (#""greeting":1"#, "found the number 1; expected a string."),
            (
                #""zone":"NORTH""#,
                "found the string \"NORTH\"; expected text that matches ^[a-z]+$. Did you mean \"north\"?"
            ),
            (#""chimeURL":"http://a.example/x""#, "expected an https URL in ASCII"),
            (#""chimeURL":"https://u:p@a.example/x""#, "expected an https URL in ASCII"),
            (
                #""tint":"gren""#,
                "expected a CSS colour such as #2563eb, rgb(37, 99, 235) or a colour's name. Did you mean \"green\"?"
            ),
            (
                #""gretting":"x""#,
                "found the unknown key \"gretting\"; expected one of: chimeURL, greeting, room, scriptURL, size, sound, tint, zone. Did you mean \"greeting\"?"
            ),
        ]
    )
    func badValues(settings: String, message: String) {
        let found = problems(Samples.settings(settings))
        #expect(found.count == 1)
        #expect(found.first?.contains(": error: ") == true)
        #expect(found.first?.contains(message) == true, "\(found)")
    }

    @Test("A missing required setting is told, and so are missing settings at all")
    func missing() {
        #expect(
            problems(Samples.entry("{\"settings\":{}}")) == [
                #"t.json:1:23: error: $.bridges.parley.settings: found no key "room"; expected the required key "room"."#
            ]
        )
        #expect(
            problems(Samples.entry("{}")) == [
                #"t.json:1:13: error: $.bridges.parley: found no key "settings"; expected the required key "settings"."#
            ]
        )
        #expect(
            problems("{}") == [#"t.json:1:1: error: $: found no key "bridges"; expected the required key "bridges"."#]
        )
    }

    @Test("A value that the vendor does not document is used, with a warning and the sources of all")
    func unknownValue() throws {
        let found = problems(Samples.settings(#""zone":"sout""#))
        #expect(found.count == 2)
        #expect(
            found[0].hasSuffix(
                #"expected one of the known values: "north", "south", "east". It is used as it is. Did you mean "south"?"#
            )
        )
        #expect(
            found[1].contains(
                #"warning: $.bridges.parley: found zone is "sout", for which the descriptor has no hosts; expected one of: "north", "south""#
            )
        )
        #expect(found.allSatisfy { $0.contains(": warning: ") })
        #expect(try config(#""zone":"sout""#)["zone"] == "sout")
    }

    @Test("A known value without hosts of its own is warned of once")
    func knownWithoutRule() {
        let found = problems(Samples.settings(#""zone":"east""#))
        #expect(found.count == 1)
        #expect(found.first?.contains("The policy allows the hosts of all of them.") == true)
    }

    @Test("A legal value that does something else is warned of")
    func misleading() {
        let found = problems(Samples.settings(#""sound":false"#))
        #expect(found.count == 1)
        #expect(
            found.first?.hasSuffix(
                "warning: $.bridges.parley.settings.sound: found the boolean false; expected another value or none. It hums."
            ) == true
        )
    }

    @Test(
        "Each part of the file is judged",
        arguments: [
            (
                #"{"bridges":{"parly":{}}}"#,
                #"$.bridges.parly: found the unknown bridge "parly"; expected one of: envoy, parley. Did you mean "parley"?"#
            ),
            (#"{"bridges":[]}"#, "$.bridges: found an array; expected an object."),
            (
                #"{"bridges":{},"host":[]}"#,
                #"found the unknown key "host"; expected one of: $schema, access, bridges, hosts. Did you mean "hosts"?"#
            ),
            (
                #"{"bridges":{},"hosts":["A.example"]}"#,
                "expected a host name in lower-case ASCII without scheme, port, wildcard and final dot."
            ),
            (
                #"{"bridges":{},"hosts":["a.example:443"]}"#,
                "$.hosts[0]: found the string \"a.example:443\"; expected a host name"
            ),
            (#"{"bridges":{},"hosts":["bridges.example"]}"#, "expected a host of the tenant's own."),
            (#"{"bridges":{},"hosts":["localhost"]}"#, "expected a host of the tenant's own."),
            (
                #"{"bridges":{},"hosts":["a.example","a.example"]}"#,
                "$.hosts[1]: found the string \"a.example\"; expected each host once."
            ),
            (#"{"bridges":{},"hosts":"a.example"}"#, "expected an array."),
            (#"{"bridges":{},"access":{"origins":["https://a.example/"]}}"#, "expected an origin as browsers send it"),
            (#"{"bridges":{},"access":{"token":[]}}"#, #"Did you mean "tokens"?"#),
            (
                #"{"bridges":{},"access":{"tokens":["sha256:abc"]}}"#,
                "found something else (not shown, as it may be a token)"
            ),
            (#"{"$schema":1,"bridges":{}}"#, "$[\"$schema\"]"),
        ]
    )
    func parts(text: String, message: String) {
        let found = problems(text)
        #expect(found.count == 1)
        #expect(
            found.first?.contains(message == "$[\"$schema\"]" ? "$.$schema: found the number 1" : message) == true,
            "\(found)"
        )
    }

    @Test(
        "Each part of a bridge's entry is judged",
        arguments: [
            (#""enabled":1"#, ".enabled: found the number 1; expected true or false."),
            (#""notice":false"#, ".notice: found the boolean false; expected a string."),
            (#""autoStart":"yes""#, ".autoStart: found the string \"yes\"; expected true or false."),
            (
                #""startTimeoutSeconds":0"#,
                ".startTimeoutSeconds: found the number 0; expected an integer from 1 to 600."
            ),
            (#""startTimeoutSeconds":30.5"#, "expected an integer from 1 to 600."),
            (#""policy":{"script-src":["https://a.example"]}"#, #"found the unknown key "script-src""#),
            (#""policy":{"connect-src":["https://*"]}"#, "This would allow every host; name those that are needed."),
            (
                #""policy":{"style-src":["'unsafe-inline'"]}"#,
                "Keywords in quotes are set by the service, never by a tenant."
            ),
            (#""reportOnly":{"img-src":["data:"]}"#, "This scheme can't be allowed in img-src by a tenant."),
            (#""reportOnly":true"#, ".reportOnly: found the boolean true; expected an object."),
            (#""identity":{"secrets":[]}"#, "expected no identity: the bridge \"parley\" signs none."),
            (#""setting":{}"#, #"Did you mean "settings"?"#),
        ]
    )
    func entries(member: String, message: String) {
        let found = problems(Samples.entry("{\"settings\":{\"room\":\"hall\"},\(member)}"))
        #expect(found.count == 1)
        #expect(found.first?.contains(message) == true, "\(found)")
    }

    @Test("What an entry says is kept")
    func wholeEntry() throws {
        let entry = try #require(
            Samples.tenant(
                Samples.entry(
                    #"{"settings":{"room":"a"},"enabled":false,"notice":"Back soon","autoStart":true,"startTimeoutSeconds":600,"policy":{"connect-src":["wss://a.example"]},"reportOnly":{"img-src":[]},"reportViolations":true}"#
                )
            ).draft?.bridges.first
        )
        #expect(!entry.isEnabled && entry.notice == "Back soon" && entry.autoStart && entry.startTimeoutSeconds == 600)
        #expect(entry.sources == [.connectSrc: ["wss://a.example"]])
        #expect(entry.reportOnlySources == [.connectSrc: ["wss://a.example"], .imgSrc: []])
        #expect(entry.reportsViolations)
    }

    @Test("A repeated key is an error even where both values are good")
    func duplicates() {
        let found = problems(#"{"bridges":{},"hosts":[],"hosts":[]}"#)
        #expect(
            found == [#"t.json:1:26: error: $.hosts: found a key that already stands at 1:15; expected each key once."#]
        )
    }
}
