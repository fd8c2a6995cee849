import Testing

@testable import System

@Suite("A line of output")
struct OutputTests {
    @Test(
        "shows what a terminal or a reader of lines would act on as its number",
        arguments: [
            ("a\nready", #"a\u{a}ready"#), ("a\r\n", #"a\u{d}\u{a}"#), ("\u{1B}[2J", #"\u{1b}[2J"#), ("\0", #"\u{0}"#),
            ("\u{7F}", #"\u{7f}"#), ("\u{9B}2J", #"\u{9b}2J"#), ("\u{85}", #"\u{85}"#), ("a\u{2028}b", #"a\u{2028}b"#),
            ("\u{202E}txt", #"\u{202e}txt"#), ("\u{2066}", #"\u{2066}"#), ("\u{FEFF}", #"\u{feff}"#),
        ]
    )
    func escapes(text: String, shown: String) {
        #expect(String(decoding: StandardStream.escape(text), as: UTF8.self) == shown)
    }

    @Test("shows all else as it is", arguments: ["", "plain", "café – 日本語 🦜", #"\u{a}"#, "\u{A0}"])
    func keeps(text: String) {
        #expect(StandardStream.escape(text) == Array(text.utf8))
    }
}
