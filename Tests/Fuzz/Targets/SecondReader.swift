/// A plain reader of requests that were let through: slow, by another way, and suspicious.
enum SecondReader {
    private static let lineEnd = [UInt8]("\r\n")

    /// Makes sure that one request's bytes have one meaning: one Host, one framing, no stray line end, and this content.
    ///
    /// - Returns: how many field lines it has.
    static func agrees(_ request: [UInt8], content: [UInt8]) -> Int {
        let start = request.starts(with: lineEnd) ? 2 : 0
        guard let end = request.index(of: lineEnd + lineEnd, from: start) else {
            fatalError("broken promise: no empty line in \(text(request))")
        }
        let lines = lines(of: Array(request[start..<end]))
        let strays: Set<UInt8> = [0, 0x0A, 0x0D]
        expect(lines.allSatisfy { strays.isDisjoint(with: $0) }, "a stray control character in \(text(request))")
        let fields = lines.dropFirst().map(field)
        expect(fields.allSatisfy { !$0.name.isEmpty }, "a line that is no field in \(text(request))")
        let isOld = lines[0].suffix(8).elementsEqual("HTTP/1.0".utf8)
        let hosts = fields.filter { $0.name == "host" }
        expect(hosts.count == 1 || isOld && hosts.isEmpty, "\(hosts.count) hosts in \(text(request))")
        let lengths = fields.filter { $0.name == "content-length" }.map(\.value)
        let codings = fields.filter { $0.name == "transfer-encoding" }
        expect(lengths.count + codings.count <= 1, "two framings in \(text(request))")
        let body = Array(request[(end + 4)...])
        if codings.isEmpty {
            let length = lengths.first.map { Int($0) ?? -1 } ?? 0
            expect(length == body.count && content == body, "\(body.count) bytes of content in \(text(request))")
        } else {
            let read = chunks(body)
            expect(read?.content == content && read?.end == body.count, "other content in \(text(request))")
        }
        return fields.count
    }

    /// Makes sure that an unfinished head may still become a request: no line end stands alone, and each line that has
    /// ended is a field that may stand there.
    static func mayGoOn(_ head: [UInt8]) {
        let start = head.starts(with: lineEnd) ? 2 : 0
        // The LF of a CR that comes last may be under way.
        let lines = lines(of: Array(head[start...].dropLast(head.last == 0x0D ? 1 : 0)))
        let strays: Set<UInt8> = [0x0A, 0x0D]
        expect(lines.allSatisfy { strays.isDisjoint(with: $0) }, "a stray line end in \(text(head))")
        let names = lines.dropFirst().dropLast().map { field($0).name }
        expect(names.allSatisfy { !$0.isEmpty }, "a line that is no field in \(text(head))")
        for name in ["host", "content-length", "transfer-encoding"] {
            expect(names.count { $0 == name } <= 1, "\(name) twice in \(text(head))")
        }
    }

    /// What chunks come to, and where they end; sizes and line ends alone count.
    static func chunks(_ body: [UInt8]) -> (content: [UInt8], end: Int)? {
        var content: [UInt8] = []
        var cursor = 0
        while let lineEnd = body.index(of: lineEnd, from: cursor) {
            let digits = body[cursor..<lineEnd].prefix { isHexadecimal($0) }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
            cursor = lineEnd + 2
            if size == 0 { return afterTrailers(body, from: cursor).map { (content, $0) } }
            guard body.count - cursor >= size + 2 else { return nil }
            content += body[cursor..<(cursor + size)]
            cursor += size + 2
        }
        return nil
    }

    private static let neverTrailers: Set = [
        "authorization", "connection", "content-encoding", "content-length", "content-range", "content-type", "expect",
        "host", "trailer", "transfer-encoding",
    ]

    private static func afterTrailers(_ body: [UInt8], from start: Int) -> Int? {
        var cursor = start
        while let end = body.index(of: lineEnd, from: cursor) {
            if end == cursor { return end + 2 }
            let name = field(Array(body[cursor..<end])).name
            expect(!name.isEmpty && !neverTrailers.contains(name), "a trailer \(name) in \(text(body))")
            cursor = end + 2
        }
        return nil
    }

    private static func lines(of head: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = 0
        while let end = head.index(of: lineEnd, from: start) {
            lines.append(Array(head[start..<end]))
            start = end + 2
        }
        return lines + [Array(head[start...])]
    }

    /// The name in lower case, empty where there is none or it is no token; the value without blanks about it.
    private static func field(_ line: [UInt8]) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return ("", "") }
        let name = line[..<colon]
        guard name.allSatisfy({ (0x21...0x7E).contains($0) }) else { return ("", "") }
        let value = line[(colon + 1)...].drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        return (String(decoding: name, as: UTF8.self).lowercased(), String(decoding: Array(value), as: UTF8.self))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
