import Testing

@testable import HTTP

/// A place in a request, and the bytes that may stand there.
struct Place: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: String
    let after: String
    let allowed: Set<UInt8>

    init(_ name: String, _ before: String, _ after: String, _ allowed: Set<UInt8>) {
        testDescription = name
        self.before = before
        self.after = after
        self.allowed = allowed
    }
}

private func bytes(_ text: String) -> Set<UInt8> { Set(text.utf8) }

@Suite("Each of the 256 bytes")
struct EveryByteTests {
    private static let digits = bytes("0123456789")
    private static let hexadecimal = digits.union(bytes("abcdefABCDEF"))
    private static let alphanumeric = digits.union(bytes("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    private static let token = alphanumeric.union(bytes("!#$%&'*+-.^_`|~"))
    private static let path = alphanumeric.union(bytes("-._~%!$&'()*+,;=:@/"))
    private static let blank: Set<UInt8> = [0x20, 0x09]
    private static let visible = Set<UInt8>(0x21...0x7E)
    private static let foreign = Set<UInt8>(0x80...0xFF)
    private static let value = visible.union(blank).union(foreign)
    private static let host = alphanumeric.union(bytes("-._~!$&'()*+;="))

    private static let line = "POST / HTTP/1.1\r\n"
    private static let chunks = line + "Host: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let end = "\r\nHost: a\r\n\r\n"

    static let places = [
        Place("in the method", "P", "ST / HTTP/1.1" + end, bytes("O")),
        Place("after the method", "POST", "/ HTTP/1.1" + end, [0x20]),
        Place("in the path", "POST /a", "b HTTP/1.1" + end, path.union(bytes("?"))),
        Place("in the query", "POST /?a", "b HTTP/1.1" + end, visible.subtracting(bytes("#"))),
        Place("as the target", "POST ", " HTTP/1.1" + end, bytes("/")),
        Place("before the version", "POST /", "HTTP/1.1" + end, [0x20]),
        Place("as the major version", "POST / HTTP/", ".1" + end, bytes("1")),
        Place("as the minor version", "POST / HTTP/1.", end, digits),
        Place("after the version", "POST / HTTP/1.1", end, []),
        Place("first in a name", line + "Host: a\r\n", "X: y\r\n\r\n", token),
        Place("in a name", line + "Host: a\r\nX", "X: y\r\n\r\n", token.union(bytes(":"))),
        Place("before the colon", line + "Host: a\r\nX", ": y\r\n\r\n", token.union(bytes(":"))),
        Place("first in a value", line + "Host: a\r\nX:", "y\r\n\r\n", value),
        Place("in a value", line + "Host: a\r\nX: y", "z\r\n\r\n", value),
        Place("last in a value", line + "Host: a\r\nX: y", "\r\n\r\n", value),
        Place("in the host", line + "Host: a", "b\r\n\r\n", host),
        Place("in an address", line + "Host: [::", "1]\r\n\r\n", hexadecimal),
        Place("as the port", line + "Host: a:", "\r\n\r\n", digits.union(blank)),
        Place("in a length", line + "Host: a\r\nContent-Length: 0", "0\r\n\r\n", digits),
        Place("after a length", line + "Host: a\r\nContent-Length: 0", "\r\n\r\n", digits.union(blank)),
        Place("before a coding", line + "Host: a\r\nTransfer-Encoding:", "chunked\r\n\r\n", blank),
        Place("after a coding", line + "Host: a\r\nTransfer-Encoding: chunked", "\r\n\r\n", blank),
        Place("first in a size", chunks, "1\r\n", hexadecimal),
        Place("after a size", chunks + "1", "\r\n", hexadecimal),
        Place("in an extension's name", chunks + "1;a", "b\r\n", token.union(bytes(";="))),
        Place("in an extension's value", chunks + "1;a=b", "c\r\n", token.union(bytes(";"))),
        Place("in a quoted value", chunks + "1;a=\"b", "c\"\r\n", value.subtracting(bytes("\""))),
        Place("after a backslash", chunks + "1;a=\"\\", "c\"\r\n", value),
        Place("after chunk data", chunks + "1\r\na", "\n", [0x0D]),
        Place("in a trailer's name", chunks + "0\r\nX", "X: y\r\n\r\n", token.union(bytes(":"))),
        Place("in a trailer's value", chunks + "0\r\nX: y", "z\r\n\r\n", value),
        Place("as the very last", chunks + "0\r\n\r", "", [0x0A]),
    ]

    @Test("stands only where the RFCs let it", arguments: places)
    func stands(place: Place) {
        for byte in UInt8.min...UInt8.max {
            let all = Array(place.before.utf8) + [byte] + Array(place.after.utf8)
            let outcome = decode([all[...]])
            let isAccepted = outcome.rejection == nil
            for split in [place.before.utf8.count, place.before.utf8.count + 1] where split < all.count {
                #expect((decode(all, splitAt: split).rejection == nil) == isAccepted, "\(byte) split at \(split)")
            }
            #expect(isAccepted == place.allowed.contains(byte), "\(byte): \(outcome)")
        }
    }

    @Test("is in a set exactly if that set's rule has it")
    func isInSets() {
        let sets: [(ByteSet, Set<UInt8>)] = [
            (.token, Self.token), (.host, Self.host),
            (.query, Self.visible.subtracting(bytes("#"))), (.value, Self.value),
            (.plainPath, Self.path.subtracting(bytes("%."))),
        ]
        for (set, expected) in sets {
            for byte in UInt8.min...UInt8.max { #expect(set.contains(byte) == expected.contains(byte), "\(byte)") }
        }
    }

    @Test("is lowered only if it is a letter of ASCII")
    func isLowered() {
        for byte in UInt8.min...UInt8.max {
            let isCapital = bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZ").contains(byte)
            #expect(asciiLowercased(byte) == (isCapital ? byte + 32 : byte))
        }
    }
}
