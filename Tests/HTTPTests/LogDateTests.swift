import Testing

@testable import HTTP

@Suite("A log's date")
struct LogDateTests {
    @Test(
        "is this at that time",
        arguments: [
            (784_111_777, "1994-11-06T08:49:37", "06/Nov/1994:08:49:37 +0000"),
            (0, "1970-01-01T00:00:00", "01/Jan/1970:00:00:00 +0000"),
            (951_782_399, "2000-02-28T23:59:59", "28/Feb/2000:23:59:59 +0000"),
            (951_782_400, "2000-02-29T00:00:00", "29/Feb/2000:00:00:00 +0000"),
        ]
    )
    func formats(seconds: Int, rfc3339: String, common: String) {
        #expect(String(decoding: LogDate.rfc3339(seconds), as: UTF8.self) == rfc3339)
        #expect(String(decoding: LogDate.common(seconds), as: UTF8.self) == common)
    }

    @Test(
        "has milliseconds with all their digits",
        arguments: [(0, ".000Z"), (7, ".007Z"), (85, ".085Z"), (999, ".999Z")]
    )
    func hasMilliseconds(milliseconds: Int, text: String) {
        #expect(String(decoding: LogDate.fraction(milliseconds), as: UTF8.self) == text)
    }
}
