import Testing

@testable import HTTP

/// Requests of every other test, changed at random: no bytes whatever may trap, mean another thing in other pieces, or
/// bring through what an independent look at the bytes finds ambiguous.
@Suite("Any bytes at all")
struct MutationTests {
    private static let seeds: [[UInt8]] = {
        var texts = AcceptanceTests.requests.map(\.0) + RejectionTests.lineEnds
        texts += ChunkTests.accepted.map { ChunkTests.head + $0.0 } + ChunkTests.refused.map { ChunkTests.head + $0.0 }
        texts += RejectionTests.lines.map { "\($0.0)\r\nHost: a\r\n\r\n" }
        texts += RejectionTests.fields.map { "GET / HTTP/1.1\r\nHost: a\r\n\($0.0)\r\n\r\n" }
        texts += FramingRejectionTests.hosts.map { "GET / HTTP/1.1\r\n\($0)\r\n" }
        texts += FramingRejectionTests.lengths.map {
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \($0)\r\n\r\nhello"
        }
        texts += FramingRejectionTests.codings.map {
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \($0.0)\r\n\r\n0\r\n\r\n"
        }
        return texts.map { Array($0.utf8) }
    }()

    private static let pieces: [[UInt8]] = [
        "\r\n", "\n", "\r", "\r\n\r\n", "\0", " ", "\t", ":", ",", ";", "\"", "\\", "=", "0", "1", "f", "-", "+", "%",
        "/",
        "0\r\n\r\n", "Host: b\r\n", "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n", "chunked", "HTTP/1.0",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "Connection: close\r\n", "Expect: 100-continue\r\n", "\u{212A}",
        "99999999",
    ].map { Array($0.utf8) }

    private func mutant(_ random: inout SplitMix) -> [UInt8] {
        var bytes = Self.seeds[random.below(Self.seeds.count)]
        for _ in 0..<random.below(4) {
            let place = random.below(bytes.count)
            let end = min(bytes.count, place + random.below(9))
            switch random.below(6) {
            case 0 where !bytes.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            case 1 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(random.below(8))
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4: bytes.insert(contentsOf: Self.pieces[random.below(Self.pieces.count)], at: place)
            default: bytes = bytes[..<place] + Self.seeds[random.below(Self.seeds.count)].suffix(random.below(200))
            }
        }
        return bytes
    }

    /// Nothing that another reader could take for a line's end or a string's is in the head of a request let through.
    private func isUnambiguous(_ bytes: [UInt8]) -> Bool {
        var previous: UInt8 = 0
        var emptyLine = 0
        for byte in bytes {
            if (byte == 0x0A) != (previous == 0x0D) { return false }
            if byte < 0x20, byte != 0x0D, byte != 0x0A, byte != 0x09 { return false }
            emptyLine = byte == 0x0D || byte == 0x0A ? emptyLine + 1 : 0
            if emptyLine == 4 { return true }
            previous = byte
        }
        return false
    }

    private func check(_ bytes: [UInt8], _ random: inout SplitMix, byteByByte: Bool) {
        var whole = decode([bytes[...]])
        if !whole.requests.isEmpty, !isUnambiguous(bytes) { Issue.record("let through: \(bytes)") }
        var other = byteByByte ? decodeByteByByte(bytes) : decode(bytes, splitAt: random.below(bytes.count))
        whole.refusedAfter = nil
        other.refusedAfter = nil
        if whole != other { Issue.record("\(whole) or \(other): \(bytes)") }
    }

    @Test("neither trap the decoder nor mean another thing in other pieces", arguments: 0..<4)
    func decodeAlike(seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        for round in 0..<MutationTests.rounds { check(mutant(&random), &random, byteByByte: round % 32 == 0) }
    }

    private static let rounds = 25_000

    @Test("neither trap a field's reader nor a path's")
    func read() {
        var random = SplitMix(state: 99)
        let alphabet = Array(#""\,;=q01.5 W/*gzipidentity%2e"#.utf8) + [9, 0x80, 0xFF]
        let tag = Array(#""r""#.utf8)
        for _ in 0..<50_000 {
            let bytes = (0..<random.below(12)).map { _ in alphabet[random.below(alphabet.count)] }
            let range = ByteRange(0, bytes.count)
            _ = PathDecoder.decode(bytes.span, range)
            _ = Authority.parse(bytes.span, range)
            let value = String(decoding: bytes, as: UTF8.self)
            let isMatch = tag.withUnsafeBufferPointer { EntityTag.matches(bytes.span, range, tag: $0, .weak) }
            if isMatch, bytes != [0x2A], !value.contains(#""r""#) { Issue.record("\(value) matches") }
            guard let request = parse("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: \(value)\r\n\r\n") else {
                continue
            }
            let isGzip = AcceptEncoding.prefersGzip(request.head, request.bytes.span)
            if isGzip, !value.contains("*"), !value.lowercased().contains("gzip") { Issue.record("\(value) is gzip") }
        }
    }
}
