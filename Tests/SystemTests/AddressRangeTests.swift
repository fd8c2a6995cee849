import System
import Testing

@Suite("A range of addresses")
struct AddressRangeTests {
    private func address(_ literal: String) throws -> SocketAddress {
        try #require(SocketAddress(literal: literal, port: 7))
    }

    @Test(
        "holds the addresses that share its bits, and no other",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "9.255.255.255", false), ("192.168.4.0/22", "192.168.7.255", true),
            ("192.168.4.0/22", "192.168.8.0", false), ("192.168.4.0/22", "192.168.3.255", false),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false), ("127.0.0.1/32", "127.0.0.1", true),
            ("128.0.0.0/1", "255.0.0.1", true), ("128.0.0.0/1", "127.255.255.255", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false), ("::/0", "1.2.3.4", false),
            ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::", false),
            ("::1", "::1", true), ("::1/128", "::2", false), ("fc00::/7", "fdff::9", true),
            ("fc00::/7", "fe00::", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:10.1.2.3", "10.1.2.3", true),
        ]
    )
    func holds(range: String, literal: String, isIn: Bool) throws {
        #expect(try AddressRange(range).contains(address(literal)) == isIn)
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "/", "10.0.0.0/", "/8", "10.0.0/8", "10.0.0.0/+8", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.0/8/8",
            "10.0.0.0 /8", "10.0.0.0/8 ", "localhost", "10.0.0.0/0x8", "10.0.0.0/255.0.0.0", "::/1000", "fe80::1%lo",
            "::ffff:10.0.0.0/104", "010.0.0.1",
        ]
    )
    func refuses(text: String) {
        #expect(throws: AddressRange.Defect.malformed) { try AddressRange(text) }
    }

    @Test("has no more bits than its addresses, and says how many those have")
    func refusesLongPrefixes() {
        #expect(throws: AddressRange.Defect.prefixTooLong(most: 32)) { try AddressRange("10.0.0.0/33") }
        #expect(throws: AddressRange.Defect.prefixTooLong(most: 128)) { try AddressRange("::/129") }
    }

    @Test(
        "begins at its first address, and says which was meant",
        arguments: [("10.1.2.3/8", "10.0.0.0/8"), ("2001:db8::1/64", "2001:db8::/64"), ("10.0.0.5/30", "10.0.0.4/30")]
    )
    func refusesBitsAfterPrefix(text: String, meant: String) throws {
        let range = try AddressRange(meant)
        #expect(range.description == meant)
        #expect(throws: AddressRange.Defect.bitsAfterPrefix(range)) { try AddressRange(text) }
    }
}

@Suite("A socket address")
struct MappedAddressTests {
    @Test("that is IPv4 mapped into IPv6 is the IPv4 address, however it was told")
    func unmaps() throws {
        let plain = try #require(SocketAddress(literal: "192.0.2.7", port: 9))
        #expect(SocketAddress(literal: "::ffff:192.0.2.7", port: 9) == plain)
        let bytes = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 7]
        #expect(SocketAddress(bytes: bytes.span, port: 9) == plain)
        #expect(SocketAddress(bytes: plain.bytes.span, port: 9) == plain)
        #expect(SocketAddress(literal: "::192.0.2.7", port: 9) != plain)
        for count in [0, 3, 5, 15, 17] {
            #expect(SocketAddress(bytes: [UInt8](repeating: 1, count: count).span, port: 9) == nil)
        }
    }
}
