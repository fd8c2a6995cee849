import Testing

@testable import HTTP

/// What no byte that may follow could make good is refused at once, and not at the head's deadline (RFC 9112 §2.2).
@Suite("A head that has not come whole")
struct EarlyRefusalTests {
    private static let line = "POST / HTTP/1.1\r\n"
    private static let host = line + "Host: a\r\n"

    /// Each ends in the byte that makes it wrong.
    static let returns: [(String, Rejection)] = [
        ("\r\r", .malformedRequestLine), ("\rG", .malformedRequestLine), ("\r\n\r\r", .malformedRequestLine),
        ("\r\n\rG", .malformedRequestLine), ("G\rE", .malformedRequestLine), ("GET\r ", .malformedRequestLine),
        ("GET /\rH", .malformedRequestLine), ("GET /a\r\r", .malformedRequestLine),
        ("GET /?a\rH", .malformedRequestLine), ("GET / \rH", .malformedRequestLine),
        ("GET / HTTP/1.1\rH", .malformedRequestLine), ("GET / HTTP/2.0\r\r", .malformedRequestLine),
        ("\r\nGET / HTTP/1.1\r\0", .malformedRequestLine), ("CONNECT a\rb", .malformedRequestLine),
        (line + "\rX", .malformedField), (line + "\r\r", .malformedField), (line + "X\rY", .malformedField),
        (line + "X \rY", .malformedField), (line + "X:\rY", .malformedFieldValue),
        (line + "X: y\rZ", .malformedFieldValue), (line + "X: y\r\r", .malformedFieldValue),
        (line + "X: abcdefgh\0ijklmnop\rq", .malformedFieldValue), (line + "X: \(Self.long)\r ", .malformedFieldValue),
        (host + "\r\r", .malformedField), (host + "\rX", .malformedField), (host + " \rX", .malformedField),
        (host + "Transfer-Encoding: chunked\rX", .malformedFieldValue),
    ]

    private static let long = String(repeating: "a", count: 300)

    /// Each ends in the line end by which it is wrong.
    static let lines: [(String, Rejection)] = [
        ("FROB / HTTP/1.1\r\n", .unknownMethod), ("GET / HTTP/1.1 \r\n", .malformedRequestLine),
        ("GET /a#b HTTP/1.1\r\n", .malformedTarget), ("GET / HTTP/2.0\r\n", .unsupportedVersion),
        ("\r\n\r\n", .malformedRequestLine), ("\r\n /\r\n", .malformedRequestLine),
        (line + " \r\n", .malformedField), (line + "\t\r\n", .malformedField),
        (line + "foo\r\n", .malformedField), (line + "A : b\r\n", .malformedField), (line + ": b\r\n", .malformedField),
        (line + "X: \u{1}\r\n", .malformedFieldValue),
        (line + "X: \r\n a\r\n", .malformedField), (line + "Host: a b\r\n", .malformedHost),
        (line + "Host:\r\n", .malformedHost), (host + "Host: a\r\n", .malformedHost),
        (host + "X: y\r\nHost: b\r\n", .malformedHost), (host + "Content-Length: x\r\n", .malformedContentLength),
        (host + "Content-Length: 1\r\nContent-Length: 1\r\n", .malformedContentLength),
        (host + "Transfer-Encoding: gzip\r\n", .malformedTransferEncoding),
        (host + "Transfer-Encoding: chunked\r\nX: y\r\nTransfer-Encoding: chunked\r\n", .malformedTransferEncoding),
        (host + "Transfer-Encoding: gzip, chunked\r\n", .unknownTransferCoding),
        (host + "Expect: miracles\r\n", .unknownExpectation),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", .malformedTransferEncoding),
        ("GET http://a/ HTTP/1.1\r\nHost: a\r\nHost: a\r\n", .malformedHost),
        ("\r\n" + host + "X : y\r\n", .malformedField),
    ]

    @Test("is refused at the byte that makes it wrong, however it comes", arguments: returns + lines)
    func refuses(text: String, rejection: Rejection) {
        expectRefusal(text, rejection)
        #expect(decodeByteByByte(Array(text.utf8)).refusedAfter == text.utf8.count)
        let between = decodeByteByByte(Array((neighbour + text).utf8))
        #expect(between.refusedAfter == (neighbour + text).utf8.count)
    }

    @Test(
        "is waited for where what follows may make it good",
        arguments: [
            "\r", "\r\n", "\r\n\r", "G", "GET / HTTP/1.1\r", line, line + "\r", line + "Host", line + "Host ",
            line + "X: \u{1}", line + "X: y\r\n", host, host + "\r", host + "X: y\r",
            host + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", host + "Content-Length: 99999999\r\n",
            "POST / HTTP/1.0\r\nExpect: miracles\r\n",
        ]
    )
    func waits(text: String) {
        #expect(decodeEveryWay(text) == Outcome(awaitsMore: true))
        #expect(decodeEveryWay(neighbour + text) == Outcome(requests: ["get /good "], awaitsMore: true))
    }

    @Test("is judged by its own line while other connections use the same head")
    func sharesHead() {
        var head = RequestHead()
        var first = RequestDecoder(limits: RequestLimits())
        var second = RequestDecoder(limits: RequestLimits())
        var bytes = Array(Self.host.utf8)
        #expect(first.next(bytes.span, into: &head) == .incomplete(sendsContinue: false))
        _ = second.next(Array("GET http://b/ HTTP/1.0\r\n\r\n".utf8).span, into: &head)
        bytes += "Transfer-Encoding: chunked\r\n".utf8
        #expect(first.next(bytes.span, into: &head) == .incomplete(sendsContinue: false))
        bytes += "Host: a\r\n".utf8
        #expect(first.next(bytes.span, into: &head) == .rejected(.malformedHost))
    }

    @Test("is refused for a byte within its limits before it is for its length, the same in all pieces")
    func keepsOrder() {
        let limits = RequestLimits(head: 60, target: 12, fields: 9, content: 1)
        for count in 0..<80 {
            let filler = String(repeating: "a", count: count)
            _ = decodeEveryWay("GET /\(filler)\rX \(filler)\n", limits: limits)
            _ = decodeEveryWay("\r\nGET / HTTP/1.1\r\nX:\(filler)\r\(filler)\r\n\r\n", limits: limits)
            _ = decodeEveryWay("GET / HTTP/1.1\r\nX:\(filler)\rY\n", limits: limits)
            _ = decodeEveryWay("GET / HTTP/1.1\r\nX:\(filler)\r\nY\(filler)\r\n", limits: limits)
        }
    }
}
