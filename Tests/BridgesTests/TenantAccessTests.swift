import JSON
import Testing

@testable import Bridges

@Suite("Tenants' keys and tokens")
struct TenantAccessTests {
    private func problems(_ text: String) -> [String] { Samples.tenant(text).problems }

    private func identity(_ value: String) -> (draft: TenantDraft?, problems: [String]) {
        Samples.tenant("{\"bridges\":{\"envoy\":{\"settings\":{\"inbox\":\"i\"},\"identity\":\(value)}}}")
    }

    @Test(
        "Keys that can't be are told, and never shown",
        arguments: [
            (#"{}"#, #"found no key "secrets""#), (#"{"secrets":[]}"#, "expected at least one key."),
            (#"{"secrets":[{"kid":"a"}]}"#, #"found no key "file""#),
            (
                #"{"secrets":[{"kid":"a b","file":"f"}]}"#,
                "expected 1 to 64 letters, digits, dots, hyphens, underscores."
            ),
            (#"{"secrets":[{"kid":"a","file":"f"},{"kid":"a","file":"g"}]}"#, "expected each kid once."),
            (#"{"secrets":[{"kid":"a","file":"../hush"}]}"#, "No leading slash, no .., no hidden file."),
            (#"{"secrets":[{"kid":"a","file":"/hush"}]}"#, "not shown, as it may be a secret"),
            (#"{"secrets":[{"kid":"a","file":"hush hush="}]}"#, "not shown, as it may be a secret"),
            (#"{"secrets":[{"kid":"a hush","file":"f"}]}"#, "not shown, as it may be a secret"),
            (#"{"secrets":["hush"]}"#, "not shown, as it may be a secret"),
            (#"{"secrets":"hush"}"#, "not shown, as it may be a secret"),
            (#""hush""#, "not shown, as it may be a secret"),
        ]
    )
    func badSecrets(value: String, message: String) {
        // Of the files that could be, none is there.
        let found = identity(value).problems.filter { !$0.contains("a file that can't be read") }
        #expect(found.count == 1)
        #expect(found.first?.contains(message) == true, "\(found)")
        #expect(found.allSatisfy { !$0.contains("hush") })
    }

    @Test("A token's digest is read as bytes, in either case of hexadecimal")
    func tokens() throws {
        let digits = String(repeating: "0aF9", count: 16)
        let draft = try #require(
            Samples.tenant("{\"bridges\":{},\"access\":{\"tokens\":[\"sha256:\(digits)\"]}}").draft
        )
        #expect(draft.access.tokens == [Array(repeatElement([0x0A, 0xF9], count: 16).joined())])
    }

    @Test(
        "A token in place of its digest is told, and never shown",
        arguments: [
            "hunter2", "SHA256:" + String(repeating: "a", count: 64), "sha256:" + String(repeating: "g", count: 64),
        ]
    )
    func pastedTokens(token: String) {
        let found = problems("{\"bridges\":{},\"access\":{\"tokens\":[\"\(token)\"]}}")
        #expect(found.count == 1)
        #expect(found.allSatisfy { !$0.contains(token) })
    }

    @Test("nor one in place of the list or of access", arguments: [#"{"tokens":"hunter2"}"#, #""hunter2""#])
    func misplacedTokens(access: String) {
        let found = problems("{\"bridges\":{},\"access\":\(access)}")
        #expect(found.count == 1)
        #expect(found.allSatisfy { !$0.contains("hunter2") })
    }
}
