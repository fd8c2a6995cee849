import Testing

@testable import HTTP

@Suite("Content in chunks")
struct ChunkTests {
    static let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let accepted = [
        ("5\r\nhello\r\n0\r\n\r\n", "hello"), ("0\r\n\r\n", ""), ("000\r\n\r\n", ""),
        ("2\r\nhe\r\n003\r\nllo\r\n00\r\n\r\n", "hello"), ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("00000000000000a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("00000000000000000000000000000001\r\na\r\n00000000000000000\r\n\r\n", "a"),
        ("4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n"), ("5\r\n0\r\n\r\n\r\n0\r\n\r\n", "0\r\n\r\n"),
        ("5;a\r\nhello\r\n0;b=c\r\n\r\n", "hello"), ("5;a=b;c;d=e\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5;a=\"b\"\r\nhello\r\n0\r\n\r\n", "hello"), ("5;a=\"\"\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5;a=\"b;c=d\\\"\\\\ \té\"\r\nhello\r\n0;e=\"f\";g\r\n\r\n", "hello"),
        ("5 ; a=\"q\\\";,x\" ; c\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5\t;\ta\t=\tb\t;c = \"d\"\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5\r\nhello\r\n0\r\nT: v\r\n\r\n", "hello"), ("0\r\nX-Sum:\r\nY:é\t\"\r\n\r\n", ""),
        ("0\r\nX:POST / HTTP/1.1\r\n\r\n", ""), ("0\r\nHosts: a\r\nX-Content-Length: 5\r\n\r\n", ""),
    ]

    @Test("is put together, whatever extensions and trailers say", arguments: accepted)
    func joins(body: String, content: String) { expectRequest(Self.head + body, "post / \(content)") }

    @Test("is counted as kept while it is put together")
    func isCounted() {
        var decoder = RequestDecoder(limits: RequestLimits())
        var head = RequestHead()
        let half = Array((Self.head + "5\r\nhello\r\n3\r\nab").utf8)
        #expect(decoder.next(half.span, into: &head) == .incomplete(sendsContinue: false))
        #expect(decoder.keptBytes == 7)
        let whole = half + Array("c\r\n0\r\n\r\n".utf8)
        #expect(
            decoder.next(whole.span, into: &head)
                == .request(consumed: whole.count, content: .collected(Array("helloabc".utf8)))
        )
        #expect(decoder.keptBytes == 0)
    }

    static let refused: [(String, Rejection)] = [
        ("\r\n", .malformedChunk), ("+1\r\na\r\n", .malformedChunk), ("-1\r\na\r\n", .malformedChunk),
        ("-0x0\r\n\r\n", .malformedChunk), ("0x1\r\na\r\n", .malformedChunk), ("0_1\r\na\r\n", .malformedChunk),
        ("0_2e\r\n", .malformedChunk), (" 1\r\na\r\n", .malformedChunk), ("\t1\r\na\r\n", .malformedChunk),
        ("1 \r\na\r\n", .malformedChunk), ("1\t\r\na\r\n", .malformedChunk), ("1 2\r\n", .malformedChunk),
        ("g\r\n", .malformedChunk), ("1,\r\na\r\n", .malformedChunk), (";a\r\n", .malformedChunk),
        ("1these-bytes\r\na\r\n", .malformedChunk), ("1a=b\r\n", .malformedChunk), ("1\"a\"\r\n", .malformedChunk),
        ("ffffffffffffffff\r\n", .malformedChunk), ("10000000000000000\r\n", .malformedChunk),
        ("8000000000000000\r\n", .malformedChunk),
        ("fffffffffffffff\r\n", .contentTooLarge), ("1\na\r\n", .malformedChunk), ("1\ra\r\n", .malformedChunk),
        ("1\r\r\na\r\n", .malformedChunk), ("2\r\r;a\r\n02\r\n", .malformedChunk), ("1;\r\na\r\n", .malformedChunk),
        ("1;a;\r\na\r\n", .malformedChunk), ("1;=b\r\na\r\n", .malformedChunk), ("1;a=\r\na\r\n", .malformedChunk),
        ("1;a \r\na\r\n", .malformedChunk), ("1;a=b \r\na\r\n", .malformedChunk),
        ("1;a=\"b\" \r\na\r\n", .malformedChunk),
        ("1;a=\"b\r\na\r\n", .malformedChunk), ("1;a=\"b\"c\r\na\r\n", .malformedChunk),
        ("1;a=\"b\"=c\r\na\r\n", .malformedChunk), ("1;a=b\"c\"\r\na\r\n", .malformedChunk),
        ("1;a=\"\\\r\n\"\r\na\r\n", .malformedChunk), ("1;a=\"\u{0}\"\r\na\r\n", .malformedChunk),
        ("1;a=b c\r\na\r\n", .malformedChunk), ("1;a b\r\na\r\n", .malformedChunk),
        ("1;a\nb\r\na\r\n", .malformedChunk),
        ("1;a\rb\r\na\r\n", .malformedChunk), ("1;a=\"b\nc\"\r\na\r\n", .malformedChunk),
        ("1;é\r\na\r\n", .malformedChunk),
        ("1\r\nab\r\n", .malformedChunk), ("1\r\na\n0\r\n\r\n", .malformedChunk),
        ("1\r\na\r0\r\n\r\n", .malformedChunk),
        ("1\r\na0\r\n\r\n", .malformedChunk), ("1\r\na\r\n\r\n", .malformedChunk),
        ("1\r\na\r\n\r\n0\r\n\r\n", .malformedChunk),
        ("0\r\n\n", .malformedField), ("0\n\r\n", .malformedChunk), ("0\r\n\rX", .malformedLineEnd),
        ("0\r\n: x\r\n\r\n", .malformedField), ("0\r\nX : x\r\n\r\n", .malformedField),
        ("0\r\n X: x\r\n\r\n", .malformedField), ("0\r\nX: x\r\n y\r\n\r\n", .malformedField),
        ("0\r\nX\r\n\r\n", .malformedField), ("0\r\n\u{212A}: x\r\n\r\n", .malformedField),
        ("0\r\nX: \u{0}\r\n\r\n", .malformedFieldValue), ("0\r\nX: x\n\r\n", .malformedFieldValue),
        ("0\r\nX: x\ry\r\n\r\n", .malformedChunk),
    ]

    @Test("is refused if it is not exactly what RFC 9112 says", arguments: refused)
    func refuses(body: String, rejection: Rejection) { expectRefusal(Self.head + body, rejection) }

    @Test(
        "is refused with a trailer that would frame, route, allow or describe the request",
        arguments: [
            "Host", "content-length", "TRANSFER-ENCODING", "Connection", "Expect", "Authorization", "Content-Type",
            "Content-Encoding", "Content-Range", "trailer",
        ]
    )
    func refusesTrailers(name: String) {
        expectRefusal("\(Self.head)0\r\n\(name): 1\r\n\r\n", .malformedField)
        expectRefusal("\(Self.head)1\r\na\r\n0\r\nX: y\r\n\(name):\r\n\r\n", .malformedField)
    }

    @Test(
        "is taken with any other trailer, which is discarded",
        arguments: [
            "X-Request-ID", "User-Agent", "Referer", "Origin", "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto",
            "Accept-Encoding", "If-None-Match", "If-Match", "Access-Control-Request-Method", "Cookie", "Digest",
            "Content-Lengt", "Content-Length-", "Trailers", "Hos",
        ]
    )
    func discardsTrailers(name: String) throws {
        let text = "\(Self.head)1\r\na\r\n0\r\n\(name): b\r\n\r\n"
        expectRequest(text, "post / a")
        let head = try #require(parse(text)).head
        for name in FieldName.allCases where name != .host && name != .transferEncoding {
            #expect(head.value(of: name) == nil)
        }
    }

    @Test(
        "is waited for until its very last byte",
        arguments: ["", "5", "5\r\nhel", "5\r\nhello\r\n", "5\r\nhello\r\n0\r\n", "0\r\nX: y\r\n", "0\r\nX: y\r\n\r"]
    )
    func waits(body: String) {
        let outcome = decodeEveryWay(Self.head + body)
        #expect(outcome == Outcome(awaitsMore: true))
    }
}
