import Glibc
import Testing

@testable import HTTP

@Suite("A date")
struct DateTests {
    /// As the C library has it.
    private func expected(_ seconds: Int) -> [UInt8] {
        var time = seconds
        var parts = tm()
        gmtime_r(&time, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        // %Y has no leading zeros, which all years here have none of either.
        let length = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return buffer.prefix(length).map(UInt8.init(bitPattern:))
    }

    private func check(_ seconds: Int) {
        guard HTTPDate.format(seconds) != expected(seconds) else { return }
        Issue.record("\(seconds): \(String(decoding: HTTPDate.format(seconds), as: UTF8.self))")
    }

    @Test(
        "is this at that time",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"), (-2_203_891_200, "Thu, 01 Mar 1900 00:00:00 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
        ]
    )
    func isKnown(seconds: Int, text: String) {
        #expect(String(decoding: HTTPDate.format(seconds), as: UTF8.self) == text)
    }

    @Test("of every day from 1890 to 2110 is that of the C library, at its first and last second")
    func hasDays() {
        for day in -29_220...51_134 {
            check(day * 86_400)
            check(day * 86_400 + 86_399)
        }
    }

    @Test("of any second from the year 1000 to 9999 is that of the C library")
    func hasSeconds() {
        var random = SplitMix(state: 5)
        for _ in 0..<50_000 { check(-30_610_224_000 + random.below(253_402_300_800 + 30_610_224_000)) }
    }

    @Test("has the same length always")
    func hasLength() {
        for seconds in [0, -1, 253_402_300_799, -62_167_219_200] {
            #expect(HTTPDate.format(seconds).count == HTTPDate.length)
        }
    }
}
