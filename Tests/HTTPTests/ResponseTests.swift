import Testing

@testable import HTTP

@Suite("A response")
struct ResponseTests {
    private let date = HTTPDate.format(784_111_777)
    private let dateLine = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

    private func written(_ write: (inout ResponseWriter) -> Void) -> String {
        var writer = ResponseWriter(date: date)
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The same answer prepared and made for the request alone: both must be the same on the wire.
    private func both(
        _ status: Status,
        _ fields: [(name: String, value: String)],
        content: String?,
        _ change: (inout ResponseWriter) -> Void = { _ in }
    ) -> String {
        var builder = ResponseStoreBuilder()
        let shared = content.map { builder.add(content: Array($0.utf8)) }
        let response = builder.add(status, fields: fields, content: shared)
        let store = builder.finish()
        let prepared = written {
            change(&$0)
            $0.write(response, from: store)
        }
        let made = written {
            change(&$0)
            $0.write(status, fields: fields, content: content.map { Array($0.utf8) })
        }
        #expect(prepared == made)
        return prepared
    }

    @Test("is sent as prepared, with the date of now")
    func isPrepared() {
        let text = both(.ok, [(name: "X", value: "y"), (name: "Z", value: "")], content: "hello")
        #expect(text == "HTTP/1.1 200 OK\r\n\(dateLine)X: y\r\nZ: \r\nContent-Length: 5\r\n\r\nhello")
    }

    @Test("says what becomes of the connection")
    func saysPersistence() {
        let rest = "\(dateLine)Content-Length: 5\r\n\r\nhello"
        #expect(both(.ok, [], content: "hello") { $0.persistence = .open } == "HTTP/1.1 200 OK\r\n\(rest)")
        #expect(
            both(.ok, [], content: "hello") { $0.persistence = .close }
                == "HTTP/1.1 200 OK\r\nConnection: close\r\n\(rest)"
        )
        #expect(
            both(.ok, [], content: "hello") { $0.persistence = .keptAlive }
                == "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n\(rest)"
        )
    }

    @Test("to HEAD is that to GET without its content")
    func omitsContent() {
        for persistence in [ResponseWriter.Persistence.open, .close] {
            let full = both(.ok, [(name: "X", value: "y")], content: "hello") { $0.persistence = persistence }
            let head = both(.ok, [(name: "X", value: "y")], content: "hello") {
                $0.persistence = persistence
                $0.omitsContent = true
            }
            #expect(head + "hello" == full)
        }
    }

    @Test("without content has no length, and empty content has one of 0")
    func hasLengths() {
        #expect(both(.notModified, [], content: nil) == "HTTP/1.1 304 Not Modified\r\n\(dateLine)\r\n")
        #expect(both(.noContent, [], content: nil) == "HTTP/1.1 204 No Content\r\n\(dateLine)\r\n")
        #expect(both(.notFound, [], content: "") == "HTTP/1.1 404 Not Found\r\n\(dateLine)Content-Length: 0\r\n\r\n")
    }

    @Test("counts its length in bytes, and shares its content with others")
    func sharesContent() {
        var builder = ResponseStoreBuilder()
        let content = builder.add(content: Array("é👩‍💻".utf8))
        let first = builder.add(.ok, fields: [], tag: "\"1\"", content: content)
        let second = builder.add(.notFound, fields: [(name: "X", value: "y")], tag: "\"22\"", content: content)
        let store = builder.finish()
        let text = written {
            $0.write(first, from: store)
            $0.write(second, from: store)
        }
        let length = "Content-Length: \("é👩‍💻".utf8.count)\r\n\r\né👩‍💻"
        #expect(
            text == "HTTP/1.1 200 OK\r\n\(dateLine)ETag: \"1\"\r\n\(length)"
                + "HTTP/1.1 404 Not Found\r\n\(dateLine)ETag: \"22\"\r\nX: y\r\n\(length)"
        )
        #expect(Array(store.entityTag(of: first)) == Array("\"1\"".utf8))
        #expect(Array(store.entityTag(of: second)) == Array("\"22\"".utf8))
        #expect(text.hasPrefix(String(decoding: store.text(of: first, date: date), as: UTF8.self)))
    }

    @Test("with its content kept apart is the same bytes in the same order", arguments: [0, 1, 2_047, 2_048, 9_000])
    func keepsApart(size: Int) {
        var builder = ResponseStoreBuilder()
        let content = builder.add(content: [UInt8](repeating: 0x78, count: size))
        let response = builder.add(.ok, fields: [], content: content)
        let store = builder.finish()
        var writers = [false, true].map { isApart in
            var writer = ResponseWriter(date: date)
            writer.keepsContentsApart = isApart
            writer.write(response, from: store)
            writer.write(response, from: store)
            writer.writeContinue()
            writer.omitsContent = true
            writer.write(response, from: store)
            return writer
        }
        var pieces: [UnsafeRawBufferPointer] = []
        let sent = writers.map { writer in writer.withPieces(&pieces) { list in list.flatMap { Array($0) } } }
        #expect(sent[0] == writers[0].bytes)
        #expect(sent[1] == sent[0])
        #expect(writers.map(\.count) == sent.map(\.count))
        #expect(writers[1].hasContentsApart == (size >= 2_048))
        writers[1].clear()
        #expect(writers[1].count == 0 && !writers[1].hasContentsApart)
    }

    @Test("stands right behind the one before it, each with the date of its time")
    func follows() {
        var builder = ResponseStoreBuilder()
        let response = builder.add(.notModified, fields: [], content: nil)
        let store = builder.finish()
        let text = written {
            $0.write(response, from: store)
            $0.writeContinue()
            $0.persistence = .close
            $0.date = HTTPDate.format(0)
            $0.write(response, from: store)
        }
        #expect(
            text == "HTTP/1.1 304 Not Modified\r\n\(dateLine)\r\nHTTP/1.1 100 Continue\r\n\r\n"
                + "HTTP/1.1 304 Not Modified\r\nConnection: close\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n"
        )
        #expect(
            written {
                $0.write(response, from: store); $0.clear()
            } == ""
        )
    }

    @Test(
        "can't be split by what a name or value holds",
        arguments: [
            ("A\r\nB: c", "d", "ABc: d"), ("A", "d\r\nE: f", "A: dE: f"), ("A", "d\n\nE", "A: dE"),
            ("A", "\rd\u{0}\u{7F}\u{1B}", "A: d"),
            ("A B:", "\u{85}", "AB: \u{85}"), ("Ä", "d", nil), ("", "d", nil), ("\r\n", "\r\n", nil),
        ] as [(String, String, String?)]
    )
    func cannotBeSplit(name: String, value: String, line: String?) {
        let text = both(.ok, [(name: name, value: value)], content: "hello")
        let line = line.map { "\($0)\r\n" } ?? ""
        #expect(Array(text.utf8) == Array("HTTP/1.1 200 OK\r\n\(dateLine)\(line)Content-Length: 5\r\n\r\nhello".utf8))
    }

    @Test("has the entity tag that it sends, whatever it was given", arguments: ["\"a\r\n\"", "\n", "", "\"\u{0}b\""])
    func hasSentTag(tag: String) {
        var builder = ResponseStoreBuilder()
        let response = builder.add(.ok, fields: [], tag: tag, content: nil)
        let store = builder.finish()
        let sent = String(decoding: store.text(of: response, date: date), as: UTF8.self)
        let kept = String(decoding: store.entityTag(of: response), as: UTF8.self)
        #expect(sent == "HTTP/1.1 200 OK\r\n\(dateLine)ETag: \(kept)\r\n\r\n")
    }

    @Test("has the code and words of its status", arguments: Status.allCases)
    func hasStatus(status: Status) {
        #expect(both(status, [], content: nil).hasPrefix("HTTP/1.1 \(status.rawValue) \(status.reason)\r\n"))
        #expect(status.reason.utf8.allSatisfy { $0 == 0x20 || (0x41...0x7A).contains($0) })
    }
}
