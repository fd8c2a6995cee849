import Testing

@testable import HTTP

@Suite("A request whose host or end is in doubt")
struct FramingRejectionTests {
    static let hosts = [
        "", "Host:\r\n", "Host: \t\r\n", "Host: a b\r\n", "Host: a/b\r\n", "Host: u@a\r\n", "Host: a:x\r\n",
        "Host: a:-1\r\n", "Host: a:+1\r\n", "Host: a:65536\r\n", "Host: a:000080\r\n", "Host: a:1:1\r\n",
        "Host: a: 1\r\n", "Host: :80\r\n", "Host: [::1\r\n", "Host: ::1\r\n", "Host: []\r\n", "Host: [::1]x\r\n",
        "Host: [::g]\r\n", "Host: [fe80::1%25eth0]\r\n", "Host: é\r\n", "Host: a%2eb\r\n", "Host: http://a\r\n",
        "Host: a\r\nHost: a\r\n", "Host: a\r\nHost: b\r\n", "Host: a\r\nX: y\r\nHost:\r\n", "Host: a?b\r\n",
        "Host: a#b\r\n",
        "Host: a\\b\r\n", "Host: \"a\"\r\n", "Kost: a\r\n",
    ]

    @Test("is refused for its Host", arguments: hosts)
    func refusesHosts(fields: String) { expectRefusal("GET / HTTP/1.1\r\n\(fields)\r\n", .malformedHost) }

    @Test("is refused for its Host even if the target or the version makes that needless")
    func refusesNeedlessHosts() {
        expectRefusal("GET http://a/ HTTP/1.1\r\n\r\n", .malformedHost)
        expectRefusal("GET http://a/ HTTP/1.1\r\nHost: a b\r\n\r\n", .malformedHost)
        expectRefusal("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", .malformedHost)
        expectRefusal("GET / HTTP/1.0\r\nHost:\r\n\r\n", .malformedHost)
        expectRefusal("OPTIONS * HTTP/1.1\r\n\r\n", .malformedHost)
        expectRefusal("GET / HTTP/1.2\r\n\r\n", .malformedHost)
    }

    static let lengths = [
        "", " ", "+1", "-1", "+1_0", "1_0", "0x10", "1Z", "1 2", "1,1", "1, 1", "5,5", "1;", "1.0", "1e1", "\"1\"", "١",
        "9223372036854775808", "18446744073709551616", "18446744073709551621", "99999999999999999999", "1\u{A0}",
        "1\r\nContent-Length: 1", "1\r\nContent-Length: 2", "\r\nContent-Length: 1", "1\r\nContent-Length:",
        "0\r\nContent-Length: 0", "1\r\nTransfer-Encoding: chunked", "0\r\nTransfer-Encoding: chunked",
    ]

    @Test("is refused for its Content-Length", arguments: lengths)
    func refusesLengths(value: String) {
        for version in ["1.0", "1.1"] where version == "1.1" || !value.contains("chunked") {
            expectRefusal(
                "POST / HTTP/\(version)\r\nHost: a\r\nContent-Length: \(value)\r\n\r\n",
                .malformedContentLength
            )
        }
    }

    @Test("is refused for a Content-Length behind Transfer-Encoding as for one before")
    func refusesBoth() {
        let fields = "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"
        expectRefusal("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n0\r\n\r\n", .malformedContentLength)
    }

    static let codings: [(String, Rejection)] = [
        ("identity", .malformedTransferEncoding), ("xchunked", .malformedTransferEncoding),
        ("chunkedchunked", .malformedTransferEncoding), ("chunked chunked", .malformedTransferEncoding),
        ("gzip", .malformedTransferEncoding), ("chunked, gzip", .malformedTransferEncoding),
        ("chunked, identity", .malformedTransferEncoding), ("chunked, chunked", .malformedTransferEncoding),
        ("gzip, chunked, chunked", .malformedTransferEncoding), (",chunked", .malformedTransferEncoding),
        ("chunked,", .malformedTransferEncoding), (", ,", .malformedTransferEncoding), ("", .malformedTransferEncoding),
        ("chunked;a=b", .malformedTransferEncoding), ("\"chunked\"", .malformedTransferEncoding),
        ("'chunked'", .malformedTransferEncoding), ("chun\u{212A}ed", .malformedTransferEncoding),
        ("\u{85}chunked\u{A0}", .malformedTransferEncoding), ("gzip;a=\"b, chunked\"", .malformedTransferEncoding),
        ("chunked\r\nTransfer-Encoding: chunked", .malformedTransferEncoding),
        ("chunked\r\nTransfer-Encoding: identity", .malformedTransferEncoding),
        ("\r\nTransfer-Encoding: chunked", .malformedTransferEncoding),
        ("gzip\r\nTransfer-Encoding: chunked", .malformedTransferEncoding),
        ("gzip, chunked", .unknownTransferCoding), ("identity, chunked", .unknownTransferCoding),
        ("\u{B}chunked", .malformedFieldValue), ("\rchunked", .malformedFieldValue),
        ("chunked\u{0}", .malformedFieldValue),
    ]

    @Test("is refused for its Transfer-Encoding", arguments: codings)
    func refusesCodings(value: String, rejection: Rejection) {
        expectRefusal("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(value)\r\n\r\n0\r\n\r\n", rejection)
    }

    @Test("is refused for any Transfer-Encoding in HTTP/1.0")
    func refusesOldCodings() {
        for fields in ["Host: a\r\n", "", "Content-Length: 5\r\n"] {
            expectRefusal(
                "POST / HTTP/1.0\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                .malformedTransferEncoding
            )
        }
    }

    @Test("is answered with the status that says why", arguments: Rejection.allCases)
    func hasStatus(rejection: Rejection) {
        let expected: UInt16 =
            switch rejection {
            case .targetTooLong: 414
            case .headTooLarge: 431
            case .contentTooLarge: 413
            case .unknownMethod, .unknownTransferCoding: 501
            case .unsupportedVersion: 505
            case .unknownExpectation: 417
            case .timedOut: 408
            default: 400
            }
        #expect(rejection.status.rawValue == expected)
    }
}
