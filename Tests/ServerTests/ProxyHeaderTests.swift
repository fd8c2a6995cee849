import System
import Testing

@testable import Server

@Suite("A PROXY header")
struct ProxyHeaderTests {
    private func read(_ bytes: [UInt8]) -> ProxyHeader.Step { ProxyHeader.read(bytes.span) }
    private func read(_ line: String) -> ProxyHeader.Step { read(Array(line.utf8)) }

    /// The client of a header that must be a whole one; `own` for the connection's own other end.
    private func source(_ bytes: [UInt8]) throws -> String {
        guard case .complete(let header) = read(bytes) else { return "\(read(bytes))" }
        #expect(header.count == bytes.count)
        return header.source?.description ?? "own"
    }

    private static let crc: [UInt8] = Headers.binary(
        0x11,
        Headers.four + Headers.vector(0x03, [0xB0, 0xB7, 0xC0, 0x66])
    )

    private static let good: [(header: [UInt8], source: String)] = [
        (Array("PROXY TCP4 192.0.2.1 10.0.0.1 56324 443\r\n".utf8), "192.0.2.1:56324"),
        (Array("PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n".utf8), "255.255.255.255:65535"),
        (Array("PROXY TCP6 2001:db8::1 ::1 0 443\r\n".utf8), "[2001:db8::1]:0"),
        (Array("PROXY TCP6 ::ffff:192.0.2.1 ::ffff:10.0.0.1 9 443\r\n".utf8), "192.0.2.1:9"),
        (Array("PROXY UNKNOWN\r\n".utf8), "own"),
        (Array("PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n".utf8), "own"),
        (Headers.binary(0x11, Headers.four), "192.0.2.1:4660"),
        (Headers.binary(0x21, Headers.six), "[2001:db8::1]:4660"),
        (Headers.binary(0x11, Headers.four + Headers.vector(0x04, [0, 0, 0])), "192.0.2.1:4660"),
        (
            Headers.binary(0x21, Headers.six + Headers.vector(0x01, Array("http/1.1".utf8)) + Headers.vector(0xEA, [])),
            "[2001:db8::1]:4660"
        ),
        (Headers.binary(0x31, [UInt8](repeating: 0x2F, count: 216)), "own"),
        (Headers.binary(0x00, []), "own"), (Headers.binary(0x00, [1, 2, 3]), "own"),
        (Headers.binary(0x20, 0x00, []), "own"), (Headers.binary(0x20, 0x11, Headers.four), "own"),
        (Headers.binary(0x20, 0xFF, [9, 9]), "own"),
        (
            Headers.binary(0x11, Headers.four + Headers.vector(0x04, [UInt8](repeating: 0, count: 4_065))),
            "192.0.2.1:4660"
        ),
        (crc, "192.0.2.1:4660"),
    ]

    @Test("names the client, or leaves it at the connection's own end", arguments: good)
    func names(header: [UInt8], source: String) throws { #expect(try self.source(header) == source) }

    @Test("ends where it says, whatever follows, and is not whole before", arguments: good)
    func ends(header: [UInt8], source: String) {
        for follows in [[UInt8](), [0x16, 3, 1], Array("GET / HTTP/1.1\r\n".utf8), header] {
            for place in 0...header.count + follows.count {
                guard place % 97 == 0 || place < 150 || place >= header.count - 2 else { continue }
                let step = read(Array((header + follows)[..<place]))
                if place < header.count {
                    #expect(step == .incomplete, "\(place)")
                } else {
                    #expect(step.count == header.count, "\(step) at \(place)")
                }
            }
        }
    }

    @Test(
        "of version 1 is refused when it is anything else",
        arguments: [
            "PROXY\r\n", "PROXY \r\n", "proxy TCP4 192.0.2.1 10.0.0.1 1 2\r\n",
            "PROXY  TCP4 192.0.2.1 10.0.0.1 1 2\r\n",
            "PROXY TCP4 192.0.2.1 10.0.0.1 1 2\n", "PROXY TCP4 192.0.2.1 10.0.0.1 1 2 \r\n",
            "PROXY TCP4 192.0.2.1 10.0.0.1 1\r\n",
            "PROXY TCP4 192.0.2.1 10.0.0.1  1 2\r\n", "PROXY TCP4 192.0.2.1 10.0.0.1 1 65536\r\n",
            "PROXY TCP4 192.0.2.1 10.0.0.1 01 2\r\n", "PROXY TCP4 192.0.2.1 10.0.0.1 +1 2\r\n",
            "PROXY TCP4 192.0.2.1 10.0.0.1 -1 2\r\n", "PROXY TCP4 192.0.2.256 10.0.0.1 1 2\r\n",
            "PROXY TCP4 192.0.2.1 localhost 1 2\r\n", "PROXY TCP4 192.0.2.01 10.0.0.1 1 2\r\n",
            "PROXY TCP4 ::1 ::1 1 2\r\n", "PROXY TCP6 192.0.2.1 10.0.0.1 1 2\r\n", "PROXY TCP6 fe80::1%lo ::1 1 2\r\n",
            "PROXY UDP4 192.0.2.1 10.0.0.1 1 2\r\n", "PROXY unknown\r\n", "PROXY UNKNOWNS\r\n", "PROXY TCP4\r\n",
            "PROXY TCP4 192.0.2.1\u{0}x 10.0.0.1 1 2\r\n", "PROXY TCP4 192.0.2.1 10.0.0.1 1 2\rX", "P\r\n",
            "PROXY\rX\n",
            "POST / HTTP/1.1\r\n", "PUT / HTTP/1.1\r\n", "GET / HTTP/1.1\r\n", "\u{16}\u{3}\u{1}", "\n", " PROXY",
        ]
    )
    func refusesLines(line: String) { #expect(read(line) == .malformed) }

    @Test("of version 1 has at most 107 bytes with its end")
    func boundsLines() {
        let most = "PROXY UNKNOWN" + String(repeating: " ", count: 107 - 15) + "\r\n"
        #expect(read(most) == .complete(ProxyHeader(source: nil, count: 107)))
        #expect(read(String(most.dropLast(1)) + " \r\n") == .malformed)
        #expect(read("PROXY UNKNOWN" + String(repeating: " ", count: 94)) == .malformed)
    }

    @Test(
        "of version 2 is refused when it is anything else",
        arguments: [
            Array(Headers.signature.dropLast()) + [0x0B], Headers.binary(0x11, 0x11, Headers.four),
            Headers.binary(0x31, 0x11, Headers.four), Headers.binary(0x22, 0x11, Headers.four),
            Headers.binary(0x2F, 0x11, Headers.four), Headers.binary(0x12, Headers.four),
            Headers.binary(0x10, Headers.four),
            Headers.binary(0x22, Headers.six), Headers.binary(0x41, Headers.four), Headers.binary(0x33, Headers.four),
            Headers.binary(0x11, Headers.four.dropLast()), Headers.binary(0x21, Headers.six.dropLast()),
            Headers.binary(0x21, Headers.four), Headers.binary(0x31, [UInt8](repeating: 0, count: 215)),
            Headers.binary(0x11, []), Headers.binary(0x11, Headers.four + [0x04]),
            Headers.binary(0x11, Headers.four + [0x04, 0]), Headers.binary(0x11, Headers.four + [0x04, 0, 1]),
            Headers.binary(0x11, Headers.four + [0x04, 0xFF, 0xFF, 0]),
            Headers.binary(0x11, Headers.four + Headers.vector(0x03, [1, 2, 3, 4])),
            Headers.binary(0x11, Headers.four + Headers.vector(0x03, [1, 2, 3])),
            Headers.binary(0x11, Headers.four + Headers.vector(0x04, [UInt8](repeating: 0, count: 4_066))),
            Headers.binary(0x20, 0x00, [UInt8](repeating: 0, count: 65_535)),
        ] as [[UInt8]]
    )
    func refusesBinaries(header: [UInt8]) { #expect(read(header) == .malformed) }

    @Test("that is too long is refused before it comes")
    func refusesEarly() {
        #expect(read(Headers.signature + [0x21, 0x11, 0xFF, 0xFF]) == .malformed)
        #expect(read(Headers.signature + [0x22]) == .incomplete)
        #expect(read(Headers.signature + [0x22, 0x11, 0, 12]) == .malformed)
    }

    @Test("with a checksum is refused when any bit of it is another")
    func checks() {
        for bit in 0..<(Self.crc.count * 8) {
            var bent = Self.crc
            bent[bit / 8] ^= 1 << (bit % 8)
            let isKept = if case .complete(let header) = read(bent) { header.source != nil } else { false }
            // The vector's own type is covered too: as another type it is a checksum no more.
            if (28 * 8..<29 * 8).contains(bit) { #expect(isKept) } else { #expect(!isKept, "bit \(bit)") }
        }
        #expect(read(Headers.binary(0x11, Headers.four + Self.crc[28...] + Self.crc[28...])) == .malformed)
    }

    @Test("is read without a trap and the same in any pieces, whatever it is")
    func survives() {
        var random = SplitMix(state: 42)
        for round in 0..<20_000 {
            var bytes = Self.good[round % Self.good.count].header
            for _ in 0..<random.below(4) where !bytes.isEmpty {
                let place = random.below(min(bytes.count, 60))
                switch random.below(4) {
                case 0: bytes[place] = UInt8(random.below(256))
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(random.below(256)), at: place)
                default: bytes.removeSubrange(place...)
                }
            }
            let step = read(bytes)
            if case .complete(let header) = step {
                #expect(header.count <= bytes.count && header.count <= 4_096)
                #expect(read(Array(bytes[..<header.count])) == step)
                if header.count > 1 { #expect(read(Array(bytes[..<(header.count - 1)])) == .incomplete) }
            }
            let early = read(Array(bytes[..<random.below(bytes.count + 1)]))
            // What was refused stays refused, and what is whole stays what it is.
            if early != .incomplete { #expect(step == early) }
        }
    }
}

extension ProxyHeader.Step {
    fileprivate var count: Int? {
        guard case .complete(let header) = self else { return nil }
        return header.count
    }
}

/// A small generator with a seed, so that each run is the same.
private struct SplitMix {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(bound, 1)))
    }
}
