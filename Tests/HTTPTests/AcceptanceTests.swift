import Testing

@testable import HTTP

@Suite("A request that the RFCs have accepted")
struct AcceptanceTests {
    static let requests = [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "get / "),
        ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "get / "),
        ("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", "head / "),
        ("DELETE / HTTP/1.1\r\nHost: a\r\n\r\n", "delete / "),
        ("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", "trace / "),
        ("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "connect a:1 "),
        ("GET /a?b=c&d={e}|f HTTP/1.1\r\nHost: a:80\r\n\r\n", "get /a?b=c&d={e}|f "),
        ("GET /?a/b?c=%zz HTTP/1.1\r\nHost: a\r\n\r\n", "get /?a/b?c=%zz "),
        ("GET //a;b=c,d/-._~!$&'()*+:@ HTTP/1.1\r\nHost: a\r\n\r\n", "get //a;b=c,d/-._~!$&'()*+:@ "),
        ("GET https://a.example/x HTTP/1.1\r\nHost: b\r\n\r\n", "get https://a.example/x "),
        ("GET HTTP://a.example HTTP/1.1\r\nHost: b\r\n\r\n", "get HTTP://a.example "),
        ("GET http://a.example:?q HTTP/1.1\r\nHost: b\r\n\r\n", "get http://a.example:?q "),
        ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "options * "),
        ("OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", "options / "),
        ("GET / HTTP/1.0\r\n\r\n", "get / "),
        ("GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n", "get / "),
        ("POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi", "post / hi"),
        ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", "get / "),
        ("GET / HTTP/1.9\r\nHost: a\r\n\r\n", "get / "),
        ("GET / HTTP/1.1\r\nHost: [::1]:8443\r\n\r\n", "get / "),
        ("GET / HTTP/1.1\r\nhOsT:a\r\n\r\n", "get / "),
        ("GET / HTTP/1.1\r\nHost: \t a \t\r\n\r\n", "get / "),
        ("GET / HTTP/1.1\r\nHost: a\r\nX-Empty:\r\nX-Blank: \t \r\n\r\n", "get / "),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection:\r\nExpect:\r\nAccept-Encoding:\r\n\r\n", "get / "),
        ("GET / HTTP/1.1\r\nHost: a\r\n!#$%&'*+-.^_`|~09azAZ: x\r\n\r\n", "get / "),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: é \u{A0} ü\r\n\r\n", "get / "),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a:b \"c\" (d) \\ \t{}\r\n\r\n", "get / "),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "post / hello"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\t005 \r\n\r\nhello", "post / hello"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 010\r\n\r\n0123456789", "post / 0123456789"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "post / "),
        ("POST / HTTP/1.1\r\nHost: a\r\n\r\n", "post / "),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", "get / hi"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\r\n\r\n", "post / \r\n\r\n"),
        ("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\nhi", "post / hi"),
    ]

    @Test("is accepted however it comes in, alone and between others", arguments: requests)
    func accepts(text: String, request: String) { expectRequest(text, request) }

    @Test(
        "says whether the connection stays",
        arguments: [
            ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
            ("HTTP/1.1", "Connection: x, CLOSE\r\n", false), ("HTTP/1.1", "Connection: ,,\tclose\t,\r\n", false),
            ("HTTP/1.1", "Connection: x\r\nConnection: close\r\n", false),
            ("HTTP/1.1", "Connection: close\r\nConnection: keep-alive\r\n", false),
            ("HTTP/1.1", "Connection: closed\r\n", true), ("HTTP/1.1", "Connection: \"x\\\", close\r\n", false),
            ("HTTP/1.1", "Proxy-Connection: close\r\n", true), ("HTTP/1.2", "", true),
            ("HTTP/1.0", "", false), ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
            ("HTTP/1.0", "Connection: x\r\nConnection: keep-alive\r\n", true),
            ("HTTP/1.0", "Connection: keep-alive, close\r\n", false),
            ("HTTP/1.0", "Connection: \u{212A}eep-alive\r\n", false),
        ]
    )
    func persists(version: String, fields: String, stays: Bool) throws {
        #expect(try #require(parse("GET / \(version)\r\nHost: a\r\n\(fields)\r\n")).head.keepsAlive == stays)
    }

    @Test(
        "is invited to send content only if it waits for that and none has come",
        arguments: [
            ("HTTP/1.1", "Content-Length: 2\r\nExpect: 100-Continue\r\n", "", true),
            ("HTTP/1.1", "Content-Length: 2\r\nExpect: , 100-continue\r\n", "", true),
            ("HTTP/1.1", "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n", "", true),
            ("HTTP/1.1", "Content-Length: 2\r\nExpect: 100-continue\r\n", "x", false),
            ("HTTP/1.1", "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n", "1", false),
            ("HTTP/1.1", "Content-Length: 2\r\nExpect:\r\n", "", false),
            ("HTTP/1.1", "Content-Length: 2\r\n", "", false),
            ("HTTP/1.0", "Content-Length: 2\r\nExpect: 100-continue\r\n", "", false),
            ("HTTP/1.0", "Content-Length: 2\r\nExpect: miracles\r\n", "", false),
        ]
    )
    func invites(version: String, fields: String, content: String, isInvited: Bool) {
        var head = RequestHead()
        var decoder = RequestDecoder(limits: RequestLimits())
        let bytes = Array("POST / \(version)\r\nHost: a\r\n\(fields)\r\n\(content)".utf8)
        let first = decoder.next(bytes.span, into: &head)
        #expect(first == .incomplete(sendsContinue: isInvited))
        let again = decoder.next(bytes.span, into: &head)
        #expect(again == .incomplete(sendsContinue: false))
    }

    @Test("that waits for an invitation to send nothing gets its answer at once")
    func needsNoInvitation() { expectRequest("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", "get / ") }

    @Test("keeps the framing of its own while other connections use the same head")
    func sharesHead() {
        var head = RequestHead()
        var first = RequestDecoder(limits: RequestLimits())
        var second = RequestDecoder(limits: RequestLimits())
        let start = Array("POST /one HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n".utf8)
        _ = first.next(start.span, into: &head)
        _ = second.next(Array(neighbour.utf8).span, into: &head)
        let whole = start + Array("hi".utf8)
        let step = first.next(whole.span, into: &head)
        #expect(step == .request(consumed: whole.count, content: .inline(ByteRange(start.count, whole.count))))
        #expect(text(head.target, of: whole) == "/one")
    }
}
