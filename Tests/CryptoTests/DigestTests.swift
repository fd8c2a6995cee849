import Crypto
import Testing

@Suite("A digest")
struct DigestTests {
    @Test(
        "SHA-256 is that of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ]
    )
    func sha256(text: String, digest: String) {
        #expect(SHA256.hash(Array(text.utf8)).hexadecimal == digest)
    }

    @Test(
        "HMAC-SHA256 is that of RFC 4231 and of the vendors' examples",
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                Array(
                    ("This is a test using a larger than block-size key and a larger than block-size data. "
                        + "The key needs to be hashed before being used by the HMAC algorithm.").utf8
                ),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
            (
                Array("inbox-secret-A".utf8), Array("user-123".utf8),
                "ec55e42e5dac77d3ebddb6188de0c1f64614c9a57e4521914cff27bf458f2f9d"
            ),
        ]
    )
    func hmac(key: [UInt8], message: [UInt8], code: String) {
        #expect(HMAC.sha256(message, key: key).hexadecimal == code)
    }

    @Test(
        "encodes and decodes",
        arguments: [
            ([UInt8](), "", ""), ([0x0f], "0f", "Dw=="), ([0, 255, 16], "00ff10", "AP8Q"),
            ([1, 2, 3, 4], "01020304", "AQIDBA=="),
        ]
    )
    func encodes(bytes: [UInt8], hexadecimal: String, base64: String) {
        #expect(bytes.hexadecimal == hexadecimal)
        #expect(bytes.base64 == base64)
        #expect([UInt8](hexadecimal: hexadecimal) == bytes)
    }

    @Test(
        "encodes for URLs without what they give a meaning",
        arguments: [([251, 255, 254], "-__-"), ([1], "AQ"), ([], "")]
    )
    func encodesForURLs(bytes: [UInt8], text: String) { #expect(bytes.base64URL == text) }

    @Test("decodes nothing that is not hexadecimal", arguments: ["0", "0g", "+1", " 1", "é"])
    func refuses(text: String) { #expect([UInt8](hexadecimal: text) == nil) }

    @Test("random bytes are as many as asked for, and others each time")
    func random() throws {
        #expect(try Random.bytes(32).count == 32)
        #expect(try Random.bytes(32) != Random.bytes(32))
    }

    @Test("secrets are equal only if every byte is")
    func comparesSecrets() {
        #expect(constantTimeEquals([1, 2], [1, 2]))
        #expect(!constantTimeEquals([1, 2], [1, 3]))
        #expect(!constantTimeEquals([1, 2], [1, 2, 3]))
        #expect(constantTimeEquals([], []))
    }
}
