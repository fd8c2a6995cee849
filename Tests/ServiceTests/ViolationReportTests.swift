import Testing

@testable import Service

/// Reports as the engines send them, recorded from WebKitGTK 2.50 and Chromium 156, and what else may come.
@Suite("A violation report")
struct ViolationReportTests {
    private func read(_ text: String, trialPolicy: String? = nil) -> [ViolationReport]? {
        ViolationReport.read(Array(text.utf8), trialPolicy: trialPolicy)
    }

    private func enforced(_ directive: ReportedDirective, _ blocked: String) -> [ViolationReport] {
        [ViolationReport(directive: directive, blocked: blocked, isTrial: false)]
    }

    @Test("The object of report-uri is read, as WebKit and as Chromium send it")
    func readsTheObjectOfReportURI() {
        let webKit = #"""
            {"type":"csp-violation","url":"https://p.example/t/page.html","csp-report":{
            "document-uri":"https://p.example/t/page.html","referrer":"","violated-directive":"script-src-elem",
            "effective-directive":"script-src-elem","original-policy":"default-src 'none'",
            "blocked-uri":"https://evil.example/a.js?token=1","status-code":0}}
            """#
        let chromium = #"""
            {"csp-report":{"document-uri":"https://p.example/t/page.html","referrer":"",
            "violated-directive":"img-src","effective-directive":"img-src","original-policy":"default-src 'none'",
            "disposition":"enforce","blocked-uri":"data","line-number":1,"source-file":"https://p.example/t/page.html",
            "status-code":200,"script-sample":"secret"}}
            """#
        #expect(read(webKit) == enforced(.scriptSrcElem, "https://evil.example"))
        #expect(read(chromium) == enforced(.imgSrc, "data"))
    }

    @Test("One object and arrays of the Reporting API are read; other types are passed over")
    func readsOneObjectAndArraysOfTheReportingAPI() {
        let body = #"{"documentURL":"https://p.example/","effectiveDirective":"script-src-elem","blockedURL":"inline","#
        let enforced =
            #"{"type":"csp-violation","age":1,"url":"https://p.example/","body":\#(body)"disposition":"enforce"}}"#
        let tried = #"{"type":"csp-violation","body":\#(body)"disposition":"report"}}"#
        let other = #"{"type":"deprecation","body":{"id":"x"}}"#
        #expect(read(enforced) == self.enforced(.scriptSrcElem, "inline"))
        let trial = ViolationReport(directive: .scriptSrcElem, blocked: "inline", isTrial: true)
        #expect(read("[\(enforced),\(other),\(tried)]") == self.enforced(.scriptSrcElem, "inline") + [trial])
        #expect(read("[]") == [])
        #expect(read(other) == [])
    }

    @Test("A trial is told by the policy where the engine does not say")
    func tellsATrialByThePolicyWhereTheEngineDoesNotSay() {
        let text = #"{"csp-report":{"effective-directive":"img-src","blocked-uri":"x","original-policy":"img-src a"}}"#
        #expect(read(text, trialPolicy: "img-src a")?.first?.isTrial == true)
        #expect(read(text, trialPolicy: "img-src b")?.first?.isTrial == false)
        #expect(read(text)?.first?.isTrial == false)
    }

    @Test("The directive of old reports is read, and a foreign one is other")
    func readsTheDirectiveOfOldReportsAndCountsForeignOnesAsOther() {
        #expect(read(report(#""violated-directive":"img-src 'self' a""#))?.first?.directive == .imgSrc)
        #expect(read(report(#""effective-directive":"x-src\nforged""#))?.first?.directive == .other)
        #expect(read(report(#""effective-directive":"IMG-SRC""#))?.first?.directive == .other)
    }

    private func report(_ members: String) -> String { #"{"csp-report":{\#(members)}}"# }

    @Test(
        "What is no report is refused",
        arguments: [
            "", "{", "{}", "7", "\"csp-report\"", "null", "[7]", "[{}]", #"{"csp-report":[]}"#, #"{"csp-report":{}}"#,
            #"{"csp-report":{"effective-directive":7}}"#, #"{"type":"csp-violation"}"#, #"{"body":{}}"#,
            #"{"type":"csp-violation","body":{}}"#, String(repeating: "[", count: 10_000), "\u{FEFF}[]",
        ]
    )
    func refusesWhatIsNoReport(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test("Of a batch what is malformed is passed over, and all else is read")
    func passesOverWhatIsMalformedInABatch() {
        let good = #"{"type":"csp-violation","body":{"effectiveDirective":"img-src","blockedURL":"inline"}}"#
        #expect(
            read("[7,\(good),{},{\"type\":\"csp-violation\",\"body\":7},\(good)]") == enforced(.imgSrc, "inline")
                + enforced(.imgSrc, "inline")
        )
        #expect(read(#"[{},{"type":"deprecation","body":{}}]"#) == [])
        #expect(read("[7,{}]") == nil)
    }

    @Test("No more than a bounded number of reports is read of one content")
    func readsNoMoreThanABoundedNumberOfReports() {
        let one = #"{"type":"csp-violation","body":{"effectiveDirective":"img-src"}}"#
        let many = "[" + Array(repeating: one, count: 200).joined(separator: ",") + "]"
        #expect(read(many)?.count == ViolationReport.most)
    }

    @Test(
        "Of what was blocked an origin, a scheme or a keyword is kept",
        arguments: [
            ("https://evil.example/path?query#fragment", "https://evil.example"),
            ("HTTPS://User:Secret@Evil.Example:8443/x", "https://evil.example:8443"),
            ("wss://[2001:db8::1]:1/x", "wss://[2001:db8::1]:1"), ("https://evil.example\\@x", "https://evil.example"),
            ("https://evil.example:443/x", "https://evil.example"), ("wss://evil.example:443", "wss://evil.example"),
            ("http://evil.example:443/", "http://evil.example:443"), ("inline", "inline"), ("eval", "eval"),
            ("data:text/html,<script>", "data"),
            ("blob:https://a.example/x", "blob"),
            ("chrome-extension://abcdef/x.js", "chrome-extension"), ("", "other"), ("anything at all", "other"),
            ("https:evil", "other"), ("https://", "other"), ("https://a b/", "other"), ("https://a\nb/", "other"),
            ("https://\u{430}.example/", "other"), ("\u{1B}[2J:", "other"), ("javascript:alert(1)", "javascript"),
            (String(repeating: "a", count: 100) + ":x", "other"),
            ("https://" + String(repeating: "a", count: 300) + "/", "other"),
        ]
    )
    func keepsAnOriginOrAKeywordOfWhatWasBlocked(_ text: String, _ kept: String) {
        #expect(BlockedOrigin.of(text) == kept)
    }
}
