import JSON
import Testing

@testable import Bridges

@Suite("Descriptors")
struct DescriptorTests {
    private func problems(_ text: String) -> [String] { Samples.descriptor(text, name: "s").problems }

    private func setting(_ text: String) -> [String] {
        problems("{\"title\":\"S\",\"settings\":{\"a\":\(text)}}")
    }

    @Test("The fixtures say all that a descriptor can, without a problem")
    func fixtures() throws {
        #expect(problems(Fixture.descriptor) == [])
        #expect(problems(Fixture.signingDescriptor) == [])
        let parley = try #require(Samples.descriptor(Fixture.descriptor).value)
        #expect(
            parley.settings.map(\.name) == [
                "chimeURL", "greeting", "room", "scriptURL", "size", "sound", "tint", "zone",
            ]
        )
        #expect(parley.setting("room")?.isRequired == true)
        #expect(parley.setting("greeting")?.isNative == true)
        #expect(parley.setting("size")?.range == 1...64)
        #expect(parley.setting("zone")?.defaultValue == "north")
        #expect(parley.openConditionSettings == ["zone"])
        #expect(parley.allowsInlineStyles)
        let envoy = try #require(Samples.descriptor(Fixture.signingDescriptor).value)
        #expect(envoy.page == nil && envoy.native == nil)
        #expect(envoy.identity?.requestField == "visitor" && envoy.identity?.hashField == "proof")
    }

    @Test(
        "A setting's rules must make sense",
        arguments: [
            ("{}", #"$.settings.a: found no key "type"; expected the required key "type"."#),
            (
                "{\"type\":\"strng\"}",
                #"found the string "strng"; expected one of: boolean, color, integer, string, url. Did you mean "string"?"#
            ),
            ("{\"type\":\"string\",\"requird\":true}", #"found the unknown key "requird"; expected one of"#),
            ("{\"type\":\"boolean\",\"native\":1}", "$.settings.a.native: found the number 1; expected true or false."),
            (
                "{\"type\":\"string\",\"pattern\":\"[a-z]\"}",
                #"found the string "[a-z]"; expected a pattern from ^ to $ that every engine reads alike"#
            ),
            (
                "{\"type\":\"boolean\",\"pattern\":\"^a$\"}",
                "expected pattern only for settings of type string and url."
            ),
            ("{\"type\":\"string\",\"minimum\":1}", "expected minimum only for settings of type integer."),
            ("{\"type\":\"integer\",\"minimum\":2,\"maximum\":1}", "expected a maximum of at least the minimum, 2."),
            (
                "{\"type\":\"boolean\",\"default\":1}",
                "$.settings.a.default: found the number 1; expected true or false."
            ),
            (
                "{\"type\":\"string\",\"default\":\"B\",\"pattern\":\"^[a-z]$\"}",
                #"found the string "B"; expected text that matches ^[a-z]$."#
            ),
            (
                "{\"type\":\"integer\",\"known\":[1,\"2\"]}",
                "$.settings.a.known[1]: found the string \"2\"; expected an integer from"
            ),
            ("{\"type\":\"url\",\"default\":\"http://a.example\"}", "expected an https URL"),
            ("{\"type\":\"color\",\"default\":\"rad\"}", #"Did you mean "red"?"#),
            (
                "{\"type\":\"string\",\"required\":true,\"default\":\"x\"}",
                "expected no default for a required setting. Remove one of the two."
            ),
            (
                "{\"type\":\"boolean\",\"warn\":[{\"value\":\"x\",\"message\":\"m\"}]}",
                "$.settings.a.warn[0].value: found the string"
            ),
            ("{\"type\":\"boolean\",\"warn\":[{\"value\":false}]}", #"expected the required key "message"."#),
        ]
    )
    func settings(text: String, message: String) {
        let found = setting(text)
        #expect(found.count == 1)
        #expect(found.first?.contains(message) == true)
    }

    @Test(
        "Rules must name settings that can serve",
        arguments: [
            (
                #""policy":{"img-src":[{"setting":"ulr"}]}"#,
                #"$.policy["img-src"][0].setting: found the unknown setting "ulr"; expected one of: b, n, url. Did you mean "url"?"#
            ),
            (
                #""policy":{"img-src":[{"setting":"b"}]}"#,
                "expected a setting of type url, and this one is of type boolean."
            ),
            (
                #""policy":{"img-src":[{"when":{"x":[1]},"sources":[]}]}"#,
                #"$.policy["img-src"][0].when.x: found the unknown setting "x""#
            ),
            (
                #""policy":{"img-src":[{"when":{"b":["yes"]},"sources":[]}]}"#,
                "found the string \"yes\"; expected true or false."
            ),
            (
                #""policy":{"img-src":[{"when":{"b":[true]},"sources":["*"]}]}"#,
                #"$.policy["img-src"][0].sources[0]: found the string "*"; expected for img-src"#
            ),
            (
                #""policy":{"img-src":[1]}"#,
                "found the number 1; expected a source, {\"when\": …, \"sources\": […]} or {\"setting\": …}."
            ),
            (#""policy":{"script-src":[{"setting":"n"}]}"#, "expected a setting that the app can't change."),
            (#""policy":{"image-src":[]}"#, #"found the unknown key "image-src""#),
            (#""policy":{"default-src":["https://a.example"]}"#, #"found the unknown key "default-src""#),
            (#""policy":{"script-src":["'unsafe-inline'"]}"#, "Keywords in quotes are set by the service."),
            (#""permissions":{"micro":{}}"#, #"found the unknown browser feature "micro""#),
            (
                #""permissions":{"camera":{"setting":"url"}}"#,
                "expected a setting of type boolean, and this one is of type url."
            ),
            (
                #""permissions":{"camera":{"origins":["https://a.example/x"]}}"#,
                "expected an https origin without path and wildcard"
            ),
            (
                #""page":"../x.html","native":{"handler":"h","body":"text"}"#,
                "expected the name of a file in public/ that ends in .html."
            ),
            (#""page":"x.html""#, #"found no key "native""#),
            (
                #""native":{"handler":"a b","body":"text"}"#,
                #"$.native.handler: found the name "a b"; expected a name that matches"#
            ),
            (#""native":{"handler":"h","body":"txt"}"#, #"expected one of: event, text. Did you mean "text"?"#),
            (#""native":{"handler":"h","body":"text","android":{"object":"A"}}"#, #"found no key "method""#),
            (
                #""identity":{"algorithm":"md5","request":"r","answers":{"id":"i","hash":"h"}}"#,
                "expected one of: hmac-sha256-hex."
            ),
            (#""identity":{"algorithm":"hmac-sha256-hex","request":"r"}"#, #"found no key "answers""#),
            (#""settings2":{}"#, #"found the unknown key "settings2""#),
        ]
    )
    func rules(member: String, message: String) {
        let found = problems(
            "{\"title\":\"S\",\"settings\":{\"n\":{\"type\":\"url\",\"native\":true},\"url\":{\"type\":\"url\"},\"b\":{\"type\":\"boolean\"}},\(member)}"
        )
        #expect(found.count == 1)
        #expect(found.first?.contains(message) == true, "\(found)")
    }

    @Test("A setting's name is one that scripts can use", arguments: ["a-b", "", "1a", "a b", "é", "__proto__"])
    func settingNames(name: String) {
        let found = problems("{\"title\":\"S\",\"settings\":{\"\(name)\":{\"type\":\"string\"}}}")
        #expect(found.count == 1)
        #expect(found.first?.contains("expected a name that matches ^[A-Za-z][A-Za-z0-9_]{0,63}$") == true)
    }

    @Test("All problems come at once, with their places")
    func allAtOnce() {
        let text = """
            {
              "titel": "S",
              "settings": { "a": { "type": "int" } },
              "policy": { "img-src": ["https:", "http://a.example"] }
            }
            """
        #expect(
            problems(text).map { $0.split(separator: " ").first.map(String.init) } == [
                "s.json:1:1:", "s.json:3:32:", "s.json:4:27:", "s.json:4:37:", "s.json:2:3:",
            ]
        )
    }
}
