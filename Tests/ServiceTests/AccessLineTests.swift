import HTTP
import JSON
import System
import TLS
import Testing

@testable import Server
@testable import Service

@Suite("A line of the access log")
struct AccessLineTests {
    private func line(
        _ format: LogSettings.Format,
        _ texts: [RequestRecord.Texts: String],
        hasQueries: Bool = false,
        labels: AnswerLabels = AnswerLabels(),
        _ change: (inout RequestRecord) -> Void = { _ in }
    ) -> String {
        var (batch, record) = (RecordBatch(), RequestRecord())
        record.time = 784_111_777_042
        record.status = 200
        record.bytes = 3_210
        record.contentBytes = 3_000
        record.duration = 1_234_567_890
        record.method = .get
        change(&record)
        for kind in RequestRecord.Texts.allCases {
            let bytes = kind == .peer ? [192, 0, 2, 7] : Array((texts[kind] ?? "").utf8)
            batch.add(kind, bytes.span, ByteRange(0, bytes.count), to: &record)
        }
        var writer = AccessLine(format: format, hasQueries: hasQueries, labels: labels)
        var line: [UInt8] = []
        writer.append(record, batch.texts, to: &line)
        return String(decoding: line, as: UTF8.self)
    }

    private let usual: [RequestRecord.Texts: String] = [
        .id: "abc", .host: "chat.example", .path: "/p", .userAgent: "Agent/1", .referer: "https://x.example/y",
    ]

    @Test("is an object in JSON, with seconds and whom it belongs to")
    func isJSON() {
        let labels = AnswerLabels()
        let number = labels.number(tenant: "acme", bridge: "chatty")
        let text = line(.json, usual, labels: labels) {
            $0.label = UInt32(number)
            $0.tlsVersion = .tls13
        }
        #expect(
            text == #"{"time":"1994-11-06T08:49:37.042Z","requestID":"abc","client":"192.0.2.7","method":"GET","#
                + #""host":"chat.example","path":"/p","status":200,"bytes":3210,"duration":1.234567,"tenant":"acme","#
                + #""bridge":"chatty","tls":"1.3","userAgent":"Agent/1","referrer":"https://x.example/y"}"# + "\n"
        )
    }

    @Test("is in the Combined Log Format else, with the content's bytes")
    func isCombined() {
        #expect(
            line(.text, usual) == #"192.0.2.7 - - [06/Nov/1994:08:49:37 +0000] "GET /p HTTP/1.1" 200 3000 "#
                + #""https://x.example/y" "Agent/1""# + "\n"
        )
        #expect(line(.text, [:]) { $0.contentBytes = 0 }.hasSuffix("200 - \"-\" \"-\"\n"))
    }

    @Test("of what was no request has no method and path")
    func tellsOfNoRequest() throws {
        let noRequest: (inout RequestRecord) -> Void = {
            $0.method = nil
            $0.status = 400
        }
        #expect(line(.text, [:], noRequest).contains(#"] "-" 400 "#))
        let text = line(.json, [.id: "abc"], noRequest)
        #expect(!text.contains("method") && !text.contains("path"))
        #expect(text.contains(#""tenant":"none","bridge":"none""#))
    }

    @Test(
        "can be neither ended nor forged by what a client sends, and is JSON all the same",
        arguments: [
            "\"", "\\", "a\"},{\"x", "\n127.0.0.1 - -", "\r\n", "\u{1B}[2J", "\u{9B}2J", "\u{202E}", "\u{2028}",
            "\u{7F}", "\t",
            "\0", "é🦜", "\\\"", "\u{FEFF}",
        ]
    )
    func escapes(text: String) throws {
        let texts: [RequestRecord.Texts: String] = [.id: "a", .path: "/" + text, .userAgent: text, .referer: text]
        let json = line(.json, texts)
        #expect(json.utf8.count { $0 == 0x0A } == 1 && json.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
        let root = try JSONReader.read(Array(json.utf8.dropLast())).root
        for (name, value) in [("userAgent", text), ("path", "/" + text)] {
            guard case .string(let read)? = root.member(name)?.content else {
                Issue.record("no \(name)")
                continue
            }
            #expect(Array(read.utf8) == Array(value.utf8))
        }
        let combined = line(.text, texts)
        #expect(combined.utf8.dropLast().allSatisfy { 0x20...0x7E ~= $0 })
        #expect(combined.utf8.count { $0 == UInt8(ascii: "\"") } == 6)
    }

    @Test("has bytes that are no UTF-8 as Apache writes them, and in JSON as U+FFFD")
    func repairs() {
        var line: [UInt8] = []
        LogText.appendCombined([0x61, 0xFF, 0x80, 0x22, 0x5C, 0x0A], limit: 99, to: &line)
        #expect(String(decoding: line, as: UTF8.self) == #"a\xFF\x80\x22\x5C\x0A"#)
        line = []
        LogText.appendJSON([0x61, 0xFF, 0x62], limit: 99, to: &line)
        #expect(String(decoding: line, as: UTF8.self) == "a\u{FFFD}b")
    }

    @Test("has fewer bytes than a pipe takes at once, whatever a client sends, and is cut at whole escapes")
    func isBounded() throws {
        for filling in ["x", "\"", "\u{1}", "é", "\u{FEFF}"] {
            let long = String(repeating: filling, count: 4_000)
            var texts: [RequestRecord.Texts: String] = [:]
            for kind in RequestRecord.Texts.allCases { texts[kind] = long }
            for format in LogSettings.Format.allCases {
                let text = line(format, texts, hasQueries: true)
                #expect(text.utf8.count < LogOutput.atomicCount)
                if format == .json { _ = try JSONReader.read(Array(text.utf8.dropLast())) }
            }
        }
    }

    @Test(
        "keeps no query, fragment or user of a referrer unless queries are wanted",
        arguments: [
            ("https://a.example/b?token=1", "https://a.example/b"), ("https://a.example/#t", "https://a.example/"),
            ("https://user:pass@a.example/", ""), ("https://a.example/?x@y", "https://a.example/"), ("?", ""), ("", ""),
        ]
    )
    func keepsNoSecrets(referer: String, kept: String) {
        #expect(LogText.withoutSecrets(Array(referer.utf8)[...]).elementsEqual(kept.utf8))
        let text = line(.text, [.referer: referer])
        #expect(text.contains(" \"\(kept.isEmpty ? "-" : kept)\" \"-\"\n"))
        #expect(line(.text, [.referer: "/a?b=c"], hasQueries: true).contains("\"/a?b=c\""))
    }
}

@Suite("A line of the process itself")
struct LogLineTests {
    @Test("is an object in JSON, with its level")
    func isJSON() {
        let line = LogLines.json("a \"b\"\n", .warning, time: 784_111_777_042)
        #expect(line == #"{"time":"1994-11-06T08:49:37.042Z","level":"warning","message":"a \"b\"\u000A"}"#)
    }

    @Test("is written if its level matters as much as the chosen one")
    func hasLevels() {
        typealias Level = LogSettings.Level
        let written = Level.allCases.map { chosen in Level.allCases.count { chosen.includes($0) } }
        #expect(written == [1, 2, 3, 4])
        #expect(Level.warning.includes(.error) && !Level.warning.includes(.info))
    }
}
