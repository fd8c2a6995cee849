import Crypto
import Testing

@Suite("A certificate that someone else made")
struct CertificateTests {
    @Test(
        "tells its names, times, fingerprint and key",
        arguments: ["rsa:2048", "ec -pkeyopt ec_paramgen_curve:P-256"]
    )
    func reads(key: String) throws {
        try Tool.use { tool in
            let made = try tool.makeIdentity(key, "DNS:a.example,DNS:*.b.example,IP:127.0.0.1,IP:::1")
            let identity = try Identity(chain: made.chain, key: made.key)
            #expect(identity.leaf.dnsNames == ["a.example", "*.b.example"])
            #expect(identity.leaf.addresses.map(\.count) == [4, 16])
            #expect(identity.leaf.notAfter - identity.leaf.notBefore == 90 * 86_400)
            #expect(identity.leaf.isSelfSigned)
            let shown = try tool.openssl("x509 -in cert.pem -noout -fingerprint -sha256").text
            #expect(shown.contains(identity.leaf.fingerprintText))
            #expect(identity.leaf.matches(identity.key))
            #expect(identity.defects(now: identity.leaf.notBefore + 86_400).isEmpty)
        }
    }

    @Test(
        "covers hosts as RFC 9525 says",
        arguments: [
            ("a.example", true), ("x.b.example", true), ("127.0.0.1", true), ("[::1]", true),
            ("b.example", false), ("x.y.b.example", false), ("127.0.0.2", false), ("test", false), ("", false),
        ]
    )
    func covers(host: String, isCovered: Bool) throws {
        try Tool.use { tool in
            let made = try tool.makeIdentity("rsa:2048", "DNS:a.example,DNS:*.b.example,IP:127.0.0.1,IP:::1")
            #expect(try Certificate.all(pem: made.chain)[0].covers(host: host) == isCovered)
        }
    }

    @Test("is read with other line ends and with text about it")
    func readsOddText() throws {
        try Tool.use { tool in
            let made = try tool.makeIdentity("rsa:2048", "DNS:a.example")
            let crlf = made.chain.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
            let about = Array("Subject: a\n".utf8) + crlf + Array("\nthe end\n".utf8) + made.chain
            #expect(try Certificate.all(pem: about).count == 2)
        }
    }

    @Test("that can't be read is a clear error")
    func refusesGarbage() throws {
        #expect(throws: CryptoError.noCertificate) { try Certificate.all(pem: Array("nothing".utf8)) }
        #expect(throws: CryptoError.noCertificate) { try Certificate.all(pem: []) }
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        #expect(throws: CryptoError.malformedCertificate) { try Certificate.all(pem: Array(broken.utf8)) }
        #expect(throws: CryptoError.malformedKey) { try PrivateKey(pem: Array("nothing".utf8)) }
    }

    @Test("has a key that needs no passphrase, since nobody could enter one")
    func refusesEncryptedKeys() throws {
        try Tool.use { tool in
            _ = try tool.makeIdentity("rsa:2048", "DNS:a.example")
            try tool.openssl("pkcs8 -topk8 -in key.pem -out locked.pem -passout pass:secret")
            let locked = try tool.read("locked.pem")
            #expect(throws: CryptoError.encryptedKey) { try PrivateKey(pem: locked) }
        }
    }

    @Test("is told its defects: key, strength, chain, order, times, names")
    func findsDefects() throws {
        try Tool.use { tool in
            let weak = try tool.makeIdentity("rsa:1024", "DNS:a.example")
            let identity = try Identity(chain: weak.chain, key: weak.key)
            let start = identity.leaf.notBefore
            let end = identity.leaf.notAfter
            #expect(identity.defects(now: start) == [.weakKey(.rsa(bits: 1_024))])
            #expect(identity.defects(now: start - 1).contains(.notYetValid(at: 0)))
            #expect(identity.defects(now: end).contains(.expired(days: 0, at: 0)))
            #expect(identity.defects(now: end + 3 * 86_400 + 1).contains(.expired(days: 3, at: 0)))
            #expect(identity.defects(now: end - 20 * 86_400).contains(.expiresSoon(days: 20, at: 0)))
            let other = try tool.makeIdentity("rsa:2048", "DNS:a.example")
            let mixed = try Identity(chain: weak.chain, key: other.key)
            #expect(mixed.defects(now: start).contains(.keyMismatch))
        }
        let now = 1_800_000_000
        let authority = try CertificateMaker.authority(name: "CA", days: 90, now: now)
        let leaf = try CertificateMaker.leaf(hosts: ["a.example"], authority: authority, days: 90, now: now)
        #expect(leaf.defects(now: now).isEmpty)
        #expect(Identity(leaf: leaf.leaf, intermediates: [], key: leaf.key).defects(now: now) == [.leafOnly])
        let stranger = try CertificateMaker.authority(name: "other", days: 90, now: now)
        let wrong = Identity(leaf: leaf.leaf, intermediates: [stranger.leaf], key: leaf.key)
        #expect(wrong.defects(now: now) == [.wrongOrder(at: 1)])
    }
}

extension CertificateTests {
    @Test(
        "is told its defects: lifetime, hash, curve, purpose",
        arguments: [
            ("rsa:2048 -days 826", [Identity.Defect.holdsTooLong(days: 826)]), ("rsa:2048 -days 825", []),
            ("ec -pkeyopt ec_paramgen_curve:secp256k1", [.uncommonKey]), ("ed25519", [.uncommonKey]),
            ("ec -pkeyopt ec_paramgen_curve:P-384", []),
            ("ec -pkeyopt ec_paramgen_curve:P-521", [.uncommonKey]),
            ("ec -pkeyopt ec_paramgen_curve:prime192v1", [.weakKey(.ellipticCurve(bits: 192))]),
            ("rsa:2048 -addext basicConstraints=CA:TRUE", [.authority]),
            ("rsa:2048 -addext extendedKeyUsage=clientAuth", [.notForServers]),
            ("rsa:2048 -addext extendedKeyUsage=clientAuth,serverAuth", []),
            ("rsa:2048 -addext keyUsage=keyEncipherment", [.mayNotSign]),
            ("rsa:2048 -addext keyUsage=digitalSignature", []),
            ("rsa:2048 -addext tlsfeature=status_request", [.mustStaple]),
            ("rsa:2048 -addext 1.2.3.4.5=critical,DER:0500", [.refused(.unknownExtension, at: 0)]),
            ("rsa:2048 -addext 1.2.3.4.5=DER:0500", []),
            // A root is not judged by how it signed itself.
            ("rsa:2048 -sha1", []),
        ]
    )
    func findsDefect(options: String, expected: [Identity.Defect]) throws {
        try Tool.use { tool in
            let made = try tool.makeIdentity(options, "DNS:a.example")
            let identity = try Identity(chain: made.chain, key: made.key)
            #expect(identity.defects(now: identity.leaf.notBefore) == expected)
        }
    }
}

@Suite("A name with a star")
struct WildcardTests {
    @Test(
        "stands for hosts if it is the whole first label and two follow",
        arguments: [
            ("*.a.example", true), ("*.b.a.example", true), ("*.example", false), ("*", false), ("*.", false),
            ("*..", false), ("*.example.", false), ("*..example", false), ("a*.b.example", false),
            ("*.*.example", false), ("x.*.example", false), ("a.example", false), ("", false),
        ]
    )
    func isTold(name: String, isWildcard: Bool) {
        #expect(Certificate.isWildcard(name.utf8) == isWildcard)
    }

    @Test("that stands for none is a defect, and covers nothing")
    func isDefect() throws {
        try Tool.use { tool in
            let made = try tool.makeIdentity("rsa:2048", "DNS:*.example,DNS:a*.b.example,DNS:*.c.example")
            let identity = try Identity(chain: made.chain, key: made.key)
            let expected = ["*.example", "a*.b.example"].map { Identity.Defect.vainWildcard($0) }
            #expect(identity.defects(now: identity.leaf.notBefore) == expected)
            #expect(["x.example", "ab.b.example", "x.c.example"].map(identity.leaf.covers) == [false, false, true])
        }
    }
}

@Suite("A certificate that we make")
struct CertificateMakerTests {
    private let now = 1_800_000_000

    @Test("is verified by openssl for its hosts, once its authority is trusted")
    func verifies() throws {
        let authority = try CertificateMaker.authority(name: "a CA", days: 3_650, now: now)
        let hosts = ["chat.example", "*.wild.example", "10.0.2.2", "::1"]
        let leaf = try CertificateMaker.leaf(hosts: hosts, authority: authority, days: 397, now: now)
        try Tool.use { tool in
            try tool.write(authority.leaf.pem(), "ca.pem")
            try tool.write(leaf.leaf.pem(), "leaf.pem")
            let verify = "verify -x509_strict -attime \(now) -purpose sslserver -CAfile ca.pem"
            for check in ["-verify_hostname chat.example", "-verify_hostname x.wild.example", "-verify_ip 10.0.2.2"] {
                let result = try tool.openssl("\(verify) \(check) leaf.pem")
                #expect(result.status == 0, "\(result.text)")
            }
            #expect(try tool.openssl("\(verify) -verify_hostname other.example leaf.pem").status != 0)
            let text = try tool.openssl("x509 -in leaf.pem -noout -text").text
            for part in ["TLS Web Server Authentication", "CA:FALSE", "NIST CURVE: P-256", "ecdsa-with-SHA256"] {
                #expect(text.contains(part), "\(text)")
            }
        }
        #expect(leaf.leaf.notAfter - leaf.leaf.notBefore <= 825 * 86_400)
        #expect(!leaf.leaf.isAuthority && authority.leaf.isAuthority)
    }

    @Test("never holds longer than iOS accepts")
    func isShort() throws {
        let authority = try CertificateMaker.authority(name: "a CA", days: 3_650, now: now)
        let leaf = try CertificateMaker.leaf(hosts: ["a.example"], authority: authority, days: 9_999, now: now)
        #expect(leaf.leaf.notAfter - leaf.leaf.notBefore <= 825 * 86_400)
    }

    @Test(
        "is made for hosts alone",
        arguments: [
            "a,DNS:b.example", "a\nb", "", "-a.example", "a..b", "*", "*.com", "a.*.b", "é.example", "a b",
            "http://a.example",
        ]
    )
    func refuses(host: String) {
        #expect(throws: CryptoError.invalidHost(host)) {
            try CertificateMaker.selfSigned(hosts: [host], days: 1, now: now)
        }
    }

    @Test("survives being written and read again, with its key")
    func roundTrips() throws {
        let made = try CertificateMaker.selfSigned(hosts: ["localhost", "127.0.0.1"], days: 30, now: now)
        let read = try Identity(chain: made.leaf.pem(), key: made.key.pem())
        #expect(read.leaf.fingerprint == made.leaf.fingerprint)
        #expect(read.defects(now: now).isEmpty)
        #expect(read.key.kind == .ellipticCurve(bits: 256))
    }
}
