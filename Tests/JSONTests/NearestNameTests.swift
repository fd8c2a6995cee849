import JSON
import Testing

@Suite("The nearest name")
struct NearestNameTests {
    private let names = ["touchpointId", "region", "languageCode", "enableEmoji", "enableAttachments"]

    @Test(
        "is found through slips of the keyboard",
        arguments: [
            ("touchpointID", "touchpointId"), ("touchpoint", "touchpointId"), ("regoin", "region"),
            ("regions", "region"),
            ("rgion", "region"), ("languagecode", "languageCode"), ("enableAttachment", "enableAttachments"),
            ("ENABLEEMOJI", "enableEmoji"),
        ]
    )
    func slips(written: String, meant: String) {
        #expect(NearestName.of(written, among: names) == meant)
    }

    @Test("is none when nothing is near", arguments: ["", "x", "color", "foo", "identifier", "🙂🙂🙂🙂"])
    func nothingNear(written: String) {
        #expect(NearestName.of(written, among: names) == nil)
    }

    @Test("is the first in order among equals, whatever the order given")
    func ties() {
        #expect(NearestName.of("bat", among: ["cat", "bad"]) == "bad")
        #expect(NearestName.of("bat", among: ["bad", "cat"]) == "bad")
    }

    @Test("takes a name of any length")
    func longNames() {
        let long = String(repeating: "a", count: 100_000)
        #expect(NearestName.of(long, among: names + [long]) == long)
    }
}
