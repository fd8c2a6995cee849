import Testing

@testable import HTTP

@Suite("What a client can do with")
struct NegotiationTests {
    private func prefersGzip(_ fields: String) throws -> Bool {
        let request = try #require(parse("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"))
        return AcceptEncoding.prefersGzip(request.head, request.bytes.span)
    }

    @Test(
        "is gzip if it wants that at least as much as nothing",
        arguments: [
            ("gzip", true), ("x-gzip", true), ("GZIP", true), ("br, gzip;q=0.5", true), ("*", true),
            (", ,gzip,,", true),
            ("gzip;q=0.001", true), ("gzip; q=1.000", true), ("gzip\t;\tQ=0.5", true), ("gzip;q=1.", true),
            ("gzip;q=0.5, identity;q=0.5", true), ("identity;q=0.5, gzip", true), ("identity;q=0", false),
            ("identity;q=0, gzip;q=0.1", true), ("identity;q=0, *;q=0.1", true), ("gzip;q=0.5, *;q=0", true),
            ("gzip, deflate, br, zstd", true), ("deflate, gzip;q=1.0, *;q=0.5", true),
            ("", false), ("br", false), ("gzip;q=0", false), ("gzip;q=0.000", false), ("gzip;q=0.", false),
            ("*;q=0", false),
            ("gzip;q=0, *", false), ("identity, gzip;q=0.5", false), ("gzip;q=0.5, *", false),
            ("gzip;q=0.4, *;q=0.5", false), ("gzip;q=0.4, *;q=0.5, identity;q=0.1", true),
            ("gzip;q=2", false), ("gzip;q=1.001", false), ("gzip;q=0.0001", false), ("gzip;q=.5", false),
            ("gzip;q=-1", false), ("gzip;q=", false), ("gzip;q", false), ("gzip;", false), ("gzip;x=1", false),
            ("gzip;q=0.5;x", false), ("gzip; q = 1", false), ("gzip;q=٠", false),
            ("gzipped", false), ("gzi", false), ("x-gzip2", false), ("\"gzip\"", false), ("gzip deflate", false),
        ]
    )
    func isGzip(value: String, isPreferred: Bool) throws {
        #expect(try prefersGzip("Accept-Encoding: \(value)\r\n") == isPreferred)
    }

    @Test("is a list over several fields as over one")
    func isOneList() throws {
        for (first, second) in [("identity", "gzip;q=0.5"), ("gzip;q=0", "*"), ("br", "gzip"), ("", "gzip")] {
            let apart = "Accept-Encoding: \(first)\r\nX: y\r\naccept-encoding: \(second)\r\n"
            let joined = "Accept-Encoding: \(first), \(second)\r\n"
            #expect(try prefersGzip(apart) == prefersGzip(joined), "\(joined)")
        }
    }

    @Test("is not gzip if it says nothing")
    func isNothing() throws { #expect(try !prefersGzip("Origin: gzip\r\n")) }

    private func matches(_ value: [UInt8], _ tag: String, _ comparison: EntityTag.Comparison = .weak) -> Bool {
        Array(tag.utf8).withUnsafeBufferPointer {
            EntityTag.matches(value.span, ByteRange(0, value.count), tag: $0, comparison)
        }
    }

    @Test(
        "is what it has, by weak or strong tag, in a list, by star",
        arguments: [
            (#""r""#, true), (#"W/"r""#, true), (#""a", "r""#, true), (#""a,b",W/"r" , "c""#, true), ("*", true),
            (#", ,"a",,"r","#, true), (#""a\", "r""#, true), (#""\", "r""#, true), (#""", "r""#, true),
            (#""a","r"x"#, false),
            (#""é" , "r""#, true), (#""R""#, false), (#""r"#, false), (#"r""#, false), ("r", false), (#"w/"r""#, false),
            (#"W/ "r""#, false), (#""r-gzip""#, false), (#"W"r""#, false), (#"W/"#, false), (#"W/W/"r""#, false),
            ("", false), (",", false), (#"""#, false), (#""""#, false), ("**", false), (#"*, "a""#, false),
            (#""a""r""#, false), (#""a" "r""#, false), (#""x, "r", y""#, false), (#""x,"r",y""#, false),
            (#"'r'"#, false),
        ]
    )
    func isCurrent(value: String, isMatch: Bool) { #expect(matches(Array(value.utf8), #""r""#) == isMatch) }

    @Test(
        "is what If-Match asks for by a strong tag alone",
        arguments: [
            (#""r""#, true), (#""a", "r""#, true), (#"W/"r","r""#, true), ("*", true), (#""r",W/"r""#, true),
            (#"W/"r""#, false), (#""a", W/"r""#, false), (#"W/"a""#, false), (#""a""#, false), ("r", false),
            ("", false),
            (#""W/", "a""#, false),
        ]
    )
    func isSame(value: String, isMatch: Bool) { #expect(matches(Array(value.utf8), #""r""#, .strong) == isMatch) }

    @Test("is a tag of any bytes that a tag may have")
    func hasAnyTag() {
        for tag in [#""a,b""#, #""a\""#, #""\,""#, #""é""#, #""!#~""#] {
            #expect(matches(Array("\"x\", \(tag)".utf8), tag))
            #expect(matches(Array("W/\(tag) , \"x\"".utf8), tag))
            #expect(!matches(Array("\"x\", \"y\"".utf8), tag))
        }
    }
}
