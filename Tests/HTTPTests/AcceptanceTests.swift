import Testing

@testable import HTTP

@Suite("A request that RFC 9112 has accepted")
struct AcceptanceTests {
    private static let good = "GET /good HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(
        "is accepted however it comes in, alone and behind another",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "get / "),
            ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "get / "),
            ("GET /a?b=c&d={e}|f HTTP/1.1\r\nHost: a:80\r\n\r\n", "get /a?b=c&d={e}|f "),
            ("GET https://a.example/x HTTP/1.1\r\nHost: b\r\n\r\n", "get https://a.example/x "),
            ("GET HTTP://a.example HTTP/1.1\r\nHost: b\r\n\r\n", "get HTTP://a.example "),
            ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "options * "),
            ("GET / HTTP/1.0\r\n\r\n", "get / "),
            ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", "get / "),
            ("GET / HTTP/1.1\r\nHost: [::1]:8443\r\n\r\n", "get / "),
            ("GET / HTTP/1.1\r\nhOsT:a\r\n\r\n", "get / "),
            ("GET / HTTP/1.1\r\nHost: \t a \t\r\n\r\n", "get / "),
            ("GET / HTTP/1.1\r\nHost: a\r\nX-Empty:\r\n\r\n", "get / "),
            ("GET / HTTP/1.1\r\nHost: a\r\n!#$%&'*+-.^_`|~09azAZ: x\r\n\r\n", "get / "),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: é \u{A0} ü\r\n\r\n", "get / "),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "post / hello"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\nhello", "post / hello"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "post / "),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", "get / hi"),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "post / hello"),
            (
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nhe\r\n003\r\nllo\r\n00\r\n\r\n",
                "post / hello"
            ),
            (
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;a\r\nhello\r\n0;b=c\r\n\r\n",
                "post / hello"
            ),
            (
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5 ; a=\"q\\\";,x\" ; c\r\nhello\r\n0\r\nT: v\r\n\r\n",
                "post / hello"
            ),
            ("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "connect a:1 "),
        ]
    )
    func accepts(text: String, request: String) {
        #expect(decodeEveryWay(text) == Outcome(requests: [request]))
        #expect(decodeEveryWay(Self.good + text + Self.good)?.requests == ["get /good ", request, "get /good "])
    }

    @Test(
        "says whether the connection stays",
        arguments: [
            ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
            ("HTTP/1.1", "Connection: x, CLOSE\r\n", false),
            ("HTTP/1.1", "Connection: x\r\nConnection: close\r\n", false), ("HTTP/1.1", "Connection: closed\r\n", true),
            ("HTTP/1.0", "", false), ("HTTP/1.0", "Connection: keep-alive\r\n", true),
            ("HTTP/1.0", "Connection: keep-alive, close\r\n", false),
        ]
    )
    func persists(version: String, fields: String, stays: Bool) throws {
        #expect(try #require(parse("GET / \(version)\r\nHost: a\r\n\(fields)\r\n")).head.keepsAlive == stays)
    }

    @Test(
        "has the host of an absolute target, else that of Host",
        arguments: [
            ("/", "a.example:80", "a.example"), ("https://b.example:1/x", "a.example", "b.example"),
            ("/", "[::1]:1", "[::1]"),
        ]
    )
    func namesHost(target: String, host: String, expected: String) throws {
        let request = try #require(parse("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n"))
        #expect(String(decoding: request.bytes.span.array(request.head.host), as: UTF8.self) == expected)
    }

    @Test("is invited to send content only if it waits for that and none has come")
    func invites() {
        var head = RequestHead()
        let fields = "Host: a\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n"
        for (text, invites) in [
            ("POST / HTTP/1.1\r\n\(fields)", true), ("POST / HTTP/1.1\r\n\(fields)x", false),
            ("POST / HTTP/1.0\r\n\(fields)", false),
        ] {
            var decoder = RequestDecoder(limits: RequestLimits())
            #expect(decoder.next(Array(text.utf8).span, into: &head) == .incomplete(sendsContinue: invites))
        }
    }

    @Test("keeps the framing of its own while other connections use the same head")
    func sharesHead() {
        var head = RequestHead()
        var first = RequestDecoder(limits: RequestLimits())
        var second = RequestDecoder(limits: RequestLimits())
        let start = Array("POST /one HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n".utf8)
        _ = first.next(start.span, into: &head)
        _ = second.next(Array(Self.good.utf8).span, into: &head)
        let whole = start + Array("hi".utf8)
        #expect(
            first.next(whole.span, into: &head)
                == .request(consumed: whole.count, content: .inline(ByteRange(start.count, whole.count)))
        )
        #expect(String(decoding: whole.span.array(head.target), as: UTF8.self) == "/one")
    }
}
