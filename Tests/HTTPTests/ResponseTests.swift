import Glibc
import Testing

@testable import HTTP

@Suite("A response")
struct ResponseTests {
    private let date = HTTPDate.format(784_111_777)

    private func text(_ change: (inout ResponseWriter) -> Void = { _ in }) -> String {
        var builder = ResponseStoreBuilder()
        let content = builder.add(content: Array("hello".utf8))
        let response = builder.add(.ok, fields: [(name: "X", value: "y")], tag: "\"r\"", content: content)
        let store = builder.finish()
        var writer = ResponseWriter(date: date)
        change(&writer)
        writer.write(response, from: store)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("is sent as prepared, with the date of now")
    func isPrepared() {
        #expect(
            text() == """
                HTTP/1.1 200 OK\r
                Date: Sun, 06 Nov 1994 08:49:37 GMT\r
                ETag: "r"\r
                X: y\r
                Content-Length: 5\r
                \r
                hello
                """
        )
    }

    @Test("says what becomes of the connection, and leaves out what HEAD does not get")
    func hasVariants() {
        #expect(text { $0.persistence = .close }.hasPrefix("HTTP/1.1 200 OK\r\nConnection: close\r\nDate: Sun, "))
        #expect(
            text { $0.persistence = .keptAlive }.hasPrefix("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nDate: Sun, ")
        )
        #expect(text { $0.persistence = .close }.hasSuffix("\r\n\r\nhello"))
        #expect(text { $0.omitsContent = true }.hasSuffix("Content-Length: 5\r\n\r\n"))
    }

    @Test("stands right behind the one before it")
    func follows() {
        var builder = ResponseStoreBuilder()
        let response = builder.add(.notModified, fields: [], content: nil)
        let store = builder.finish()
        var writer = ResponseWriter(date: date)
        for _ in 0..<3 { writer.write(response, from: store) }
        let one = "HTTP/1.1 304 Not Modified\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n"
        #expect(String(decoding: writer.bytes, as: UTF8.self) == one + one + one)
    }

    @Test("can't be split by what a name or value holds")
    func cannotBeSplit() {
        var writer = ResponseWriter(date: date)
        writer.write(.ok, fields: [(name: "A\r\nB: c", value: "d\r\nE: f\u{0}\u{7F}")], content: [])
        let lines = String(decoding: writer.bytes, as: UTF8.self).split(separator: "\r\n")
        #expect(lines.map { $0.prefix(5) } == ["HTTP/", "Date:", "ABc: ", "Conte"])
    }

    @Test(
        "has dates as the C library has them",
        arguments: [
            0, 951_782_399, 951_782_400, 1_078_012_800, 4_102_444_800, 2_147_483_647, 253_402_300_799, -1,
            1_800_000_000,
        ]
    )
    func hasDates(seconds: Int) {
        var time = seconds
        var parts = tm()
        gmtime_r(&time, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        strftime(&buffer, 64, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        let expected = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        #expect(HTTPDate.format(seconds) == Array(expected))
    }
}
