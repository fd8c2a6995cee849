import Testing

@testable import HTTP

/// Every limit holds to the byte, and what exceeds it is refused before more of it is kept.
@Suite("A limit")
struct LimitTests {
    private let limits = RequestLimits(head: 200, target: 20, fields: 3, content: 10)

    private func text(_ count: Int, _ character: String = "a") -> String { String(repeating: character, count: count) }

    private func request(_ fields: String, target: String = "/") -> String {
        "POST \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    private func chunked(_ body: String) -> String { request("Transfer-Encoding: chunked\r\n") + body }

    /// After how many bytes of an endless request it was refused, and why.
    private func drip(_ start: String, endlessly filler: String) -> (Int?, Rejection?) {
        let outcome = decodeByteByByte(Array((start + text(2_000, filler)).utf8), limits: limits)
        return (outcome.refusedAfter, outcome.rejection)
    }

    @Test("of the target is exact")
    func holdsTarget() {
        let target = "/" + text(19)
        expectRequest(request("", target: target), "post \(target) ", limits: limits)
        expectRefusal(request("", target: target + "a"), .targetTooLong, limits: limits)
        expectRefusal(request("", target: target + text(99)), .targetTooLong, limits: limits)
    }

    @Test("of the target stops an endless one, with 40 bytes of room for the rest of the line")
    func stopsTarget() {
        #expect(drip("GET /", endlessly: "a") == (61, .targetTooLong))
        #expect(drip("", endlessly: "A") == (61, .unknownMethod))
        #expect(drip("\r\n", endlessly: "A") == (63, .unknownMethod))
        #expect(drip("\r\nGET /", endlessly: "a") == (63, .targetTooLong))
        #expect(drip("GET / HTTP/1.1", endlessly: " ") == (61, .targetTooLong))
    }

    @Test("of the target yields to a smaller one of the head, the same in all pieces")
    func ordersLimits() {
        let small = RequestLimits(head: 30, target: 20, fields: 3, content: 10)
        expectRefusal("GET /\(text(100)) HTTP/1.1\n", .targetTooLong, limits: RequestLimits(head: 40, target: 20))
        #expect(decodeEveryWay("GET /\(text(100))\n", limits: small).rejection == .targetTooLong)
        #expect(decodeEveryWay("GET / HTTP/1.1\r\nX: \(text(100))\n", limits: small).rejection == .headTooLarge)
    }

    @Test("of the head is exact, and the empty line before it is not counted")
    func holdsHead() {
        let filler = "X: " + text(200 - request("X: \r\n").utf8.count)
        expectRequest(request("\(filler)\r\n"), "post / ", limits: limits)
        expectRequest("\r\n" + request("\(filler)\r\n"), "post / ", limits: limits)
        expectRefusal(request("\(filler)a\r\n"), .headTooLarge, limits: limits)
    }

    @Test("of the head stops an endless one")
    func stopsHead() {
        #expect(drip("GET / HTTP/1.1\r\nX: ", endlessly: "a") == (201, .headTooLarge))
        #expect(drip("GET / HTTP/1.1\r\n", endlessly: "a") == (201, .headTooLarge))
        #expect(drip("GET / HTTP/1.1\r\n", endlessly: "X: \(text(60))\r\n") == (201, .headTooLarge))
    }

    @Test("of the fields is exact")
    func holdsFields() {
        expectRequest(request("A: b\r\nA: b\r\n"), "post / ", limits: limits)
        expectRefusal(request("A: b\r\nA: b\r\nA: b\r\n"), .headTooLarge, limits: limits)
    }

    @Test("of the fields stops endless ones as the first line too many ends")
    func stopsFields() {
        let start = "GET / HTTP/1.1\r\n"
        #expect(drip(start, endlessly: "X: y\r\n") == (start.utf8.count + 4 * 6, .headTooLarge))
    }

    @Test("of the content is exact, and refuses a length before its content")
    func holdsContent() {
        expectRequest(request("Content-Length: 10\r\n") + "0123456789", "post / 0123456789", limits: limits)
        expectRefusal(request("Content-Length: 11\r\n"), .contentTooLarge, limits: limits)
        expectRefusal(request("Content-Length: 9223372036854775807\r\n"), .contentTooLarge, limits: limits)
        expectRefusal(request("Content-Length: 11\r\nExpect: 100-continue\r\n"), .contentTooLarge, limits: limits)
    }

    @Test("of the content counts all chunks, and refuses one before its data")
    func holdsChunks() {
        expectRequest(chunked("a\r\n0123456789\r\n0\r\n\r\n"), "post / 0123456789", limits: limits)
        expectRequest(chunked("6\r\n012345\r\n4\r\n6789\r\n0\r\n\r\n"), "post / 0123456789", limits: limits)
        expectRefusal(chunked("b\r\n"), .contentTooLarge, limits: limits)
        expectRefusal(chunked("6\r\n012345\r\n5\r\n"), .contentTooLarge, limits: limits)
        expectRefusal(chunked("a\r\n0123456789\r\n1\r\n"), .contentTooLarge, limits: limits)
    }

    @Test("of the head holds for sizes, extensions and trailers together")
    func holdsOverhead() {
        // Eleven bytes delimit chunk and content, the extension's name is all the rest.
        let room = 200 - "1;\r\n\r\n0\r\n\r\n".utf8.count
        expectRequest(chunked("1;\(text(room))\r\na\r\n0\r\n\r\n"), "post / a", limits: limits)
        expectRefusal(chunked("1;\(text(room + 1))\r\na\r\n0\r\n\r\n"), .headTooLarge, limits: limits)
        expectRequest(chunked("0\r\nX: \(text(200 - 10))\r\n\r\n"), "post / ", limits: limits)
        expectRefusal(chunked("0\r\nX: \(text(201 - 10))\r\n\r\n"), .headTooLarge, limits: limits)
    }

    @Test("of the head stops endless extensions, zeros and trailers")
    func stopsOverhead() {
        let start = chunked("").utf8.count
        #expect(drip(chunked("1;"), endlessly: "a") == (start + 201, .headTooLarge))
        #expect(drip(chunked("1;a=\""), endlessly: "\\\"") == (start + 201, .headTooLarge))
        #expect(drip(chunked("0\r\n"), endlessly: "X: y\r\n") == (start + 201, .headTooLarge))
        #expect(drip(chunked(""), endlessly: "0") == (start + 201, .headTooLarge))
        #expect(drip(chunked(""), endlessly: "1") == (start + 16, .malformedChunk))
    }
}
