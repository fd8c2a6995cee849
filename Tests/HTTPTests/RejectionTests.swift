import Testing

@testable import HTTP

@Suite("A request that could be read in two ways")
struct RejectionTests {
    static let lines: [(String, Rejection)] = [
        ("get / HTTP/1.1", .unknownMethod), ("Get / HTTP/1.1", .unknownMethod), ("FROB / HTTP/1.1", .unknownMethod),
        ("GETT / HTTP/1.1", .unknownMethod), ("G / HTTP/1.1", .unknownMethod),
        ("G=\":<>(e),[T];?\" / HTTP/1.1", .malformedRequestLine), ("G(T / HTTP/1.1", .malformedRequestLine),
        (" GET / HTTP/1.1", .malformedRequestLine), ("GET  / HTTP/1.1", .malformedRequestLine),
        ("GET /  HTTP/1.1", .malformedRequestLine), ("GET / HTTP/1.1 ", .malformedRequestLine),
        ("GET\t/ HTTP/1.1", .malformedRequestLine), ("GET /\tHTTP/1.1", .malformedRequestLine),
        ("GET /", .malformedRequestLine), ("GET", .malformedRequestLine), ("GET / ", .malformedRequestLine),
        ("GET  HTTP/1.1", .malformedTarget), ("/ HTTP/1.1", .malformedRequestLine),
        ("GET / HTTP/1.32", .malformedRequestLine), ("GET / HTTP/01.1", .malformedRequestLine),
        ("GET / HTTP/4294967295.255", .malformedRequestLine), ("GET / HTTP/1.", .malformedRequestLine),
        ("GET / HTTP/.1", .malformedRequestLine), ("GET / HTTP/1", .malformedRequestLine),
        ("GET / HTTP/", .malformedRequestLine), ("GET / http/1.1", .malformedRequestLine),
        ("GET / HTTP 1.1", .malformedRequestLine), ("GET / HTTPS/1.1", .malformedRequestLine),
        ("GET / HTTP/+1.1", .malformedRequestLine), ("GET / HTTP/1.1\rX: y", .malformedRequestLine),
        ("GET / HTTP/2.0", .unsupportedVersion), ("PRI * HTTP/2.0", .unsupportedVersion),
        ("GET / HTTP/3.0", .unsupportedVersion), ("GET / HTTP/0.9", .unsupportedVersion),
        ("GET /a b HTTP/1.1", .malformedRequestLine), ("GET /é HTTP/1.1", .malformedTarget),
        ("GET /a\u{7F} HTTP/1.1", .malformedRequestLine), ("GET /\u{0} HTTP/1.1", .malformedRequestLine),
        ("GET /a#b HTTP/1.1", .malformedTarget), ("GET /?a#b HTTP/1.1", .malformedTarget),
        ("GET * HTTP/1.1", .malformedTarget), ("OPTIONS ** HTTP/1.1", .malformedTarget),
        ("OPTIONS *?a HTTP/1.1", .malformedTarget), ("GET a HTTP/1.1", .malformedTarget),
        ("GET a:80 HTTP/1.1", .malformedTarget), ("GET ftp://a/ HTTP/1.1", .malformedTarget),
        ("GET http:/a HTTP/1.1", .malformedTarget), ("GET http:// HTTP/1.1", .malformedTarget),
        ("GET http:///x HTTP/1.1", .malformedTarget), ("GET http://?x HTTP/1.1", .malformedTarget),
        ("GET http://a#b HTTP/1.1", .malformedTarget), ("GET http://u@a/ HTTP/1.1", .malformedTarget),
        ("GET http://a:b/ HTTP/1.1", .malformedTarget), ("GET http://[::1/ HTTP/1.1", .malformedTarget),
        ("GET /a\\b HTTP/1.1", .malformedTarget), ("GET /\"x\" HTTP/1.1", .malformedTarget),
        ("GET ?a HTTP/1.1", .malformedTarget), ("GET ../a HTTP/1.1", .malformedTarget),
        ("CONNECT / HTTP/1.1", .malformedTarget), ("CONNECT http://a/ HTTP/1.1", .malformedTarget),
        ("CONNECT * HTTP/1.1", .malformedTarget), ("CONNECT u@a:1 HTTP/1.1", .malformedTarget),
        ("CONNECT a HTTP/1.1", .malformedTarget), ("CONNECT a: HTTP/1.1", .malformedTarget),
        ("CONNECT [::1] HTTP/1.1", .malformedTarget), ("TRACE * HTTP/1.1", .malformedTarget),
    ]

    @Test("in its line is refused", arguments: lines)
    func refusesLines(line: String, rejection: Rejection) {
        expectRefusal("\(line)\r\nHost: a\r\n\r\n", rejection)
    }

    @Test("in its line is refused as soon as that ends", arguments: lines)
    func refusesEarly(line: String, rejection: Rejection) throws {
        let outcome = decodeByteByByte(Array("\(line)\r\n".utf8))
        #expect(outcome.rejection == rejection)
        #expect(try #require(outcome.refusedAfter) <= line.utf8.count + 2)
    }

    @Test("in its first byte is refused at that", arguments: ["\u{16}\u{3}", " ", "\t", "\u{0}", "\n", "é", ":", "("])
    func refusesFirstByte(start: String) { #expect(decodeByteByByte(Array(start.utf8)).refusedAfter == 1) }

    static let lineEnds = [
        "GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: y\n\n", "GET /\nHTTP/1.1\r\nHost: a\r\n\r\n", "\nGET / HTTP/1.1\r\n\r\n", "\n",
        "\n\n", "\r\n\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\n\r\n",
    ]

    @Test("in its line ends is refused", arguments: lineEnds)
    func refusesLineEnds(text: String) { expectRefusal(text, .malformedLineEnd) }

    @Test(
        "in what comes before it is refused",
        arguments: ["\r\n\r\n", "\r\n ", "\r\n\r", "\r\r\n", "\u{FEFF}", " \r\n"]
    )
    func refusesPrefixes(prefix: String) {
        expectRefusal("\(prefix)GET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine)
    }

    static let fields: [(String, Rejection)] = [
        ("X : b", .malformedField), ("X\t: b", .malformedField), (" X: b", .malformedField),
        ("\tX: b", .malformedField),
        ("X", .malformedField), (": b", .malformedField), (":", .malformedField), ("X b", .malformedField),
        ("X\u{0}: b", .malformedField), ("X\u{B}: b", .malformedField), ("é: b", .malformedField),
        ("X\u{85}: b", .malformedField), ("X\u{A0}: b", .malformedField), ("\u{212A}: b", .malformedField),
        ("X: a\r\n b", .malformedField), ("X: a\r\n\tb", .malformedField), ("X: a\r\n \r\nY: b", .malformedField),
        ("X: a\r\n : b", .malformedField), ("Transfer-\r\nEncoding: chunked", .malformedField),
        ("\rX: a", .malformedField), ("X: \u{0}", .malformedFieldValue), ("X: a\rb", .malformedFieldValue),
        ("X: a\r\r", .malformedFieldValue), ("X: a\r\rY: b", .malformedFieldValue), ("X: \u{1}", .malformedFieldValue),
        ("X: \u{7F}", .malformedFieldValue), ("X: a\u{C}b", .malformedFieldValue), ("X:\u{B}b", .malformedFieldValue),
        ("\u{212A}ost: b", .malformedField), ("Expect: 200-ok", .unknownExpectation),
        ("Expect: 100-continue, x", .unknownExpectation), ("Expect: 100-continue;a=b", .unknownExpectation),
    ]

    @Test("in a field is refused, wherever that stands", arguments: fields)
    func refusesFields(field: String, rejection: Rejection) {
        expectRefusal("GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n", rejection)
        expectRefusal("GET / HTTP/1.1\r\n\(field)\r\nHost: a\r\n\r\n", rejection)
    }

    @Test("in a name with a separator is refused", arguments: #""(),/;<=>?@[\]{}"#)
    func refusesSeparators(separator: Character) {
        expectRefusal("GET / HTTP/1.1\r\nHost: a\r\nX\(separator)Y: b\r\n\r\n", .malformedField)
    }
}
