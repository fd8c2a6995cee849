import Testing

@testable import HTTP

@Suite("A request's id")
struct RequestIDTests {
    private func taken(_ field: String, _ id: inout RequestID) -> String {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n".utf8)
        var head = RequestHead()
        var decoder = RequestDecoder(limits: RequestLimits())
        _ = decoder.next(bytes.span, into: &head)
        id.take(head.requestID, bytes.span)
        return String(decoding: id.bytes, as: UTF8.self)
    }

    @Test("made here is one of a row that counts up in hexadecimal, with every carry")
    func counts() {
        var id = RequestID(random: 0xFFFF_FFFF_FFFF_FFFF)
        #expect(taken("", &id) == String(repeating: "f", count: 16) + "00000001")
        for _ in 2..<0x1000 { id.takeNext() }
        #expect(taken("", &id) == String(repeating: "f", count: 16) + "00001000")
        var seen: Set<[UInt8]> = []
        for _ in 0..<70_000 {
            id.takeNext()
            seen.insert(id.bytes)
        }
        #expect(seen.count == 70_000)
        #expect(seen.allSatisfy { $0.count == RequestID.length })
    }

    @Test("begins otherwise in each row")
    func begins() {
        var (one, other) = (RequestID(random: 1), RequestID(random: 2))
        #expect(taken("", &one) != taken("", &other))
    }

    @Test(
        "of the client's is kept if it is harmless",
        arguments: ["a", "0", "A.b_c-9", String(repeating: "x", count: 64), "0af7651916cd43dd8448eb211c80319c"]
    )
    func keeps(own: String) {
        var id = RequestID(random: 0)
        #expect(taken("x-REQUEST-id:  \(own) \r\n", &id) == own)
        #expect(taken("", &id).count == RequestID.length)
    }

    @Test(
        "is made here in place of any other",
        arguments: ["", "a b", "a/b", "a,b", "\"a\"", "a\tb", "é", "a:b", "<a>", String(repeating: "x", count: 65)]
    )
    func replaces(own: String) {
        var id = RequestID(random: 0)
        #expect(taken("X-Request-ID: \(own)\r\n", &id) == "000000000000000000000001")
    }

    @Test("of the client's is not kept where nobody's but a proxy's is")
    func distrusts() {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX-Request-ID: own\r\n\r\n".utf8)
        var (head, decoder, id) = (RequestHead(), RequestDecoder(limits: RequestLimits()), RequestID(random: 0))
        _ = decoder.next(bytes.span, into: &head)
        id.take(head.requestID, bytes.span, keepsGiven: false)
        #expect(id.bytes.count == RequestID.length)
        id.take(head.requestID, bytes.span, keepsGiven: true)
        #expect(id.bytes == Array("own".utf8))
    }

    @Test(
        "is the second field of every answer, prepared or made, whatever becomes of the connection",
        arguments: [ResponseWriter.Persistence.open, .keptAlive, .close],
        ["", "X-Request-ID: own\r\n"]
    )
    func isSent(persistence: ResponseWriter.Persistence, field: String) {
        var builder = ResponseStoreBuilder()
        let content = builder.add(content: Array("hello".utf8))
        let ok = builder.add(.ok, fields: [("X", "y")], tag: "\"1\"", content: content)
        let notModified = builder.add(.notModified, fields: [("X", "y")], tag: "\"1\"", content: nil)
        let store = builder.finish()
        for (prepared, hasContent) in [(ok, true), (notModified, false)] {
            for omitsContent in [false, true] {
                let texts = [true, false].map { isPrepared in
                    var writer = ResponseWriter(date: HTTPDate.format(0))
                    writer.id = RequestID(random: 0)
                    _ = taken(field, &writer.id)
                    writer.persistence = persistence
                    writer.omitsContent = omitsContent
                    if isPrepared {
                        writer.write(prepared, from: store)
                    } else {
                        let content = hasContent ? Array("hello".utf8) : nil
                        writer.write(prepared.status, fields: [("ETag", "\"1\""), ("X", "y")], content: content)
                    }
                    #expect(writer.status == prepared.status)
                    #expect(writer.contentCount == (hasContent && !omitsContent ? 5 : 0))
                    return String(decoding: writer.bytes, as: UTF8.self)
                }
                let id = field.isEmpty ? "000000000000000000000001" : "own"
                #expect(texts[0] == texts[1])
                #expect(texts[0].contains("GMT\r\nX-Request-ID: \(id)\r\nETag: "))
            }
        }
    }
}
