import Testing

@testable import HTTP

@Suite("A request that could be read in two ways")
struct RejectionTests {
    private static let good = "GET /good HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Refused the same way whole, split anywhere, and behind a good request; nothing after it is ever answered.
    private func expect(_ text: String, _ rejection: Rejection, limits: RequestLimits = RequestLimits()) {
        #expect(decodeEveryWay(text, limits: limits) == Outcome(rejection: rejection), "\(text.debugDescription)")
        let behind = decodeEveryWay(Self.good + text + Self.good, limits: limits)
        #expect(behind == Outcome(requests: ["get /good "], rejection: rejection), "\(text.debugDescription)")
    }

    @Test(
        "in its line is refused",
        arguments: [
            ("get / HTTP/1.1", Rejection.unknownMethod), ("FROB / HTTP/1.1", .unknownMethod),
            ("G(T / HTTP/1.1", .malformedRequestLine),
            ("GET  / HTTP/1.1", .malformedRequestLine), ("GET /  HTTP/1.1", .malformedRequestLine),
            ("GET / HTTP/1.1 ", .malformedRequestLine),
            ("GET /", .malformedRequestLine), ("GET\t/ HTTP/1.1", .malformedRequestLine),
            ("GET / HTTP/1.32", .malformedRequestLine),
            ("GET / http/1.1", .malformedRequestLine), ("GET / HTTP/1", .malformedRequestLine),
            ("GET / HTTP/+1.1", .malformedRequestLine),
            ("GET / HTTP/2.0", .unsupportedVersion), ("PRI * HTTP/2.0", .unsupportedVersion),
            ("GET / HTTP/0.9", .unsupportedVersion),
            ("GET /a b HTTP/1.1", .malformedRequestLine), ("GET /é HTTP/1.1", .malformedTarget),
            ("GET /a#b HTTP/1.1", .malformedTarget),
            ("GET * HTTP/1.1", .malformedTarget), ("GET a HTTP/1.1", .malformedTarget),
            ("GET ftp://a/ HTTP/1.1", .malformedTarget),
            ("GET http:///x HTTP/1.1", .malformedTarget), ("GET http://u@a/ HTTP/1.1", .malformedTarget),
            ("GET /a\\b HTTP/1.1", .malformedTarget),
            ("CONNECT / HTTP/1.1", .malformedTarget), ("GET /\"x\" HTTP/1.1", .malformedTarget),
        ]
    )
    func refusesLines(line: String, rejection: Rejection) {
        expect("\(line)\r\nHost: a\r\n\r\n", rejection)
    }

    @Test(
        "in its line ends is refused",
        arguments: [
            "GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
            "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        ]
    )
    func refusesLineEnds(text: String) { expect(text, .malformedLineEnd) }

    @Test(
        "in a field is refused",
        arguments: [
            ("Host : b", Rejection.malformedField), (" X: b", .malformedField), ("X", .malformedField),
            (": b", .malformedField),
            ("X\u{0}: b", .malformedField), ("X(: b", .malformedField), ("é: b", .malformedField),
            ("\u{212A}: b", .malformedField),
            ("X: a\r\n b", .malformedField), ("X: a\r\n\tb", .malformedField), ("X: \u{0}", .malformedFieldValue),
            ("X: a\rb", .malformedFieldValue), ("X: \u{1}", .malformedFieldValue), ("X: \u{7F}", .malformedFieldValue),
            ("Host: b", .malformedHost), ("X: a\r\r", .malformedFieldValue),
        ]
    )
    func refusesFields(field: String, rejection: Rejection) {
        expect("GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n", rejection)
    }

    @Test(
        "in its host is refused",
        arguments: [
            "", "Host:\r\n", "Host: a b\r\n", "Host: a/b\r\n", "Host: u@a\r\n", "Host: a:x\r\n", "Host: a:99999\r\n",
            "Host: a:1:1\r\n",
            "Host: [::1\r\n", "Host: []\r\n", "Host: é\r\n", "Host: a\r\nHost: a\r\n", "Host: :80\r\n",
        ]
    )
    func refusesHosts(fields: String) { expect("GET / HTTP/1.1\r\n\(fields)\r\n", .malformedHost) }

    @Test(
        "in its length is refused",
        arguments: [
            "", "+1", "-1", "0x10", "1Z", "1 2", "1,1", "1, 1", "99999999999999999999", "1\r\nContent-Length: 1",
            "1\r\nContent-Length: 2",
            "1\r\nTransfer-Encoding: chunked",
        ]
    )
    func refusesLengths(value: String) {
        expect("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(value)\r\n\r\n", .malformedContentLength)
    }

    @Test(
        "in its transfer coding is refused",
        arguments: [
            ("HTTP/1.1", "identity", Rejection.malformedTransferEncoding),
            ("HTTP/1.1", "xchunked", .malformedTransferEncoding),
            ("HTTP/1.1", "chunked, gzip", .malformedTransferEncoding),
            ("HTTP/1.1", "chunked, chunked", .malformedTransferEncoding),
            ("HTTP/1.1", "chunked\r\nTransfer-Encoding: chunked", .malformedTransferEncoding),
            ("HTTP/1.1", "", .malformedTransferEncoding),
            ("HTTP/1.0", "chunked", .malformedTransferEncoding), ("HTTP/1.1", "gzip, chunked", .unknownTransferCoding),
            ("HTTP/1.1", "\u{B}chunked", .malformedFieldValue),
        ]
    )
    func refusesCodings(version: String, value: String, rejection: Rejection) {
        expect("POST / \(version)\r\nHost: a\r\nTransfer-Encoding: \(value)\r\n\r\n", rejection)
    }

    @Test(
        "in a chunk is refused",
        arguments: [
            "\r\n", "+1\r\n", "-1\r\n", "0x1\r\n", "0_1\r\n", " 1\r\n", "1 2\r\n", "fffffffffffffffff\r\n",
            "1these\r\n", "1\r;a\r\n", "1;a\nb\r\n",
            "1;\r\n", "1;a=\r\n", "1;a=\"b\r\n", "1;a=b c\r\n", "1\r\nab\r\n", "1\r\na\n", "0\r\n: x\r\n\r\n",
            "0\r\nX : x\r\n\r\n", "1\n", "1 \r\n",
        ]
    )
    func refusesChunks(body: String) {
        let text = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
        let outcome = decodeEveryWay(text + Self.good)
        #expect(outcome?.rejection?.status == .badRequest, "\(body.debugDescription)")
        #expect(outcome?.requests == [], "\(body.debugDescription)")
    }

    @Test("or expects what nobody knows is refused")
    func refusesExpectations() { expect("GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n", .unknownExpectation) }

    @Test("or is larger than its limits is refused, and one at them is not")
    func keepsLimits() {
        let limits = RequestLimits(head: 200, target: 20, fields: 3, content: 10)
        func request(_ path: Int, _ fields: String) -> String {
            "GET /\(String(repeating: "a", count: path)) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
        }
        #expect(decodeEveryWay(request(19, ""), limits: limits)?.rejection == nil)
        #expect(decode([Array(request(20, "").utf8)], limits: limits).rejection == .targetTooLong)
        #expect(decode([Array(request(9_999, "").utf8)], limits: limits).rejection == .targetTooLong)
        #expect(decodeEveryWay(request(1, "A: b\r\nB: c\r\n"), limits: limits)?.rejection == nil)
        expect(request(1, "A: b\r\nB: c\r\nC: d\r\n"), .headTooLarge, limits: limits)
        let room = 200 - request(1, "X: \r\n").utf8.count
        #expect(
            decodeEveryWay(request(1, "X: \(String(repeating: "x", count: room))\r\n"), limits: limits)?.rejection
                == nil
        )
        expect(request(1, "X: \(String(repeating: "x", count: room + 1))\r\n"), .headTooLarge, limits: limits)
        #expect(
            decodeEveryWay(request(1, "Content-Length: 10\r\n") + "0123456789", limits: limits)?.requests.count == 1
        )
        expect(request(1, "Content-Length: 11\r\n"), .contentTooLarge, limits: limits)
        let chunked = request(1, "Transfer-Encoding: chunked\r\n")
        #expect(decodeEveryWay(chunked + "a\r\n0123456789\r\n0\r\n\r\n", limits: limits)?.requests.count == 1)
        expect(chunked + "b\r\n", .contentTooLarge, limits: limits)
        #expect(
            decodeEveryWay(chunked + "1;" + String(repeating: "e", count: 300), limits: limits)?.rejection
                == .headTooLarge
        )
    }

    @Test("is told apart from one that has not come whole")
    func waits() {
        #expect(decode([Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8)]).awaitsMore)
        #expect(decode([Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab".utf8)]).awaitsMore)
    }
}
