import Crypto
import Testing

@Suite("A chain")
struct ChainTests {
    private static let authority = "basicConstraints=critical,CA:TRUE"
    private static let issues = "keyUsage=critical,keyCertSign"
    private static let names = "subjectAltName=DNS:a.example"
    private static let day = 86_400

    /// Files of a root; others are issued by it.
    private func useRoot(_ body: (Tool) throws -> Void) throws {
        try Tool.use { tool in
            try tool.write(Array("[req]\ndistinguished_name = none\n[none]\n".utf8), "req.cnf")
            let made = try tool.openssl(
                "req -x509 -config req.cnf -days 900 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout root.key"
                    + " -out root.pem -subj /CN=root -addext \(Self.authority) -addext \(Self.issues)"
            )
            #expect(made.status == 0, "\(made.text)")
            try body(tool)
        }
    }

    @Test("that is good has no defect, with its root and without")
    func isFine() throws {
        try useRoot { tool in
            try tool.issue("middle", by: "root", days: 900, Self.authority, Self.issues)
            try tool.issue("leaf", by: "middle", days: 90, Self.names)
            let now = try tool.identity("leaf", "middle").leaf.notBefore
            #expect(try tool.identity("leaf", "middle").defects(now: now).isEmpty)
            #expect(try tool.identity("leaf", "middle", "root").defects(now: now).isEmpty)
            #expect(
                try tool.identity("leaf", "root", "middle").defects(now: now) == [
                    .wrongOrder(at: 1), .wrongOrder(at: 2),
                ]
            )
        }
    }

    @Test("holds as long as its leaf and its issuer do: who trusts an issuer passes over what is behind")
    func holdsWithoutTail() throws {
        try useRoot { tool in
            try tool.issue("old", by: "root", days: 40, Self.authority, Self.issues)
            try tool.issue("middle", by: "old", days: 900, Self.authority, Self.issues)
            try tool.issue("leaf", by: "middle", days: 90, Self.names)
            let identity = try tool.identity("leaf", "middle", "old")
            let end = identity.intermediates[1].notAfter
            #expect(identity.notAfter == identity.leaf.notAfter && identity.holds(at: end))
            #expect(identity.defects(now: end + 2 * Self.day) == [.expired(days: 2, at: 2)])
            #expect(!identity.holds(at: identity.leaf.notAfter))
        }
    }

    @Test("holds as long as its leaf and its issuer do")
    func holds() throws {
        try useRoot { tool in
            try tool.issue("middle", by: "root", days: 40, Self.authority, Self.issues)
            try tool.issue("leaf", by: "middle", days: 90, Self.names)
            let identity = try tool.identity("leaf", "middle")
            let middle = identity.intermediates[0]
            let defects = { (now: Int) in identity.defects(now: now) }
            #expect(identity.notAfter == middle.notAfter)
            #expect(defects(identity.leaf.notBefore).isEmpty && identity.holds(at: identity.leaf.notBefore))
            #expect(defects(middle.notAfter - 5 * Self.day) == [.expiresSoon(days: 5, at: 1)])
            #expect(defects(middle.notAfter + 2 * Self.day) == [.expired(days: 2, at: 1)])
            #expect(defects(middle.notBefore - 1).contains(.notYetValid(at: 1)))
            #expect(identity.holds(at: middle.notAfter - 1) && !identity.holds(at: middle.notAfter))
            #expect(!identity.holds(at: middle.notBefore - 1))
        }
    }

    @Test("is of those that signed, not of others by their names")
    func isSigned() throws {
        try useRoot { tool in
            let anonymous = "subjectKeyIdentifier=none"
            try tool.issue("real", by: "root", days: 900, subject: "both", Self.authority, Self.issues, anonymous)
            try tool.issue("false", by: "root", days: 900, subject: "both", Self.authority, Self.issues, anonymous)
            try tool.issue("leaf", by: "real", days: 90, Self.names, "authorityKeyIdentifier=none")
            let identity = try tool.identity("leaf", "false", "root")
            #expect(identity.defects(now: identity.leaf.notBefore) == [.wrongOrder(at: 1)])
            let good = try tool.identity("leaf", "real", "root")
            #expect(good.defects(now: good.leaf.notBefore).isEmpty)
        }
    }

    @Test(
        "is refused for what an intermediate may not do",
        arguments: [
            (["basicConstraints=critical,CA:FALSE", issues], [.refused(.mayNotIssue, at: 1)]),
            ([issues], [.refused(.mayNotIssue, at: 1)]),
            ([authority, "keyUsage=critical,digitalSignature"], [.refused(.mayNotIssue, at: 1)]),
            ([authority], []),
            ([authority, issues, "extendedKeyUsage=clientAuth"], [.refused(.notForServers, at: 1)]),
            ([authority, issues, "extendedKeyUsage=serverAuth,clientAuth"], []),
            ([authority, issues, "extendedKeyUsage=anyExtendedKeyUsage"], []),
            ([authority, issues, "extendedKeyUsage=clientAuth,anyExtendedKeyUsage"], []),
            (
                [authority, issues, "nameConstraints=critical,permitted;DNS:b.example"],
                [.refused(.nameNotAllowed, at: 0)]
            ),
            ([authority, issues, "nameConstraints=critical,permitted;DNS:example"], []),
            ([authority, issues, "1.2.3.4.5=critical,DER:0500"], [.refused(.unknownExtension, at: 1)]),
        ] as [([String], [Identity.Defect])]
    )
    func isRefused(extensions: [String], expected: [Identity.Defect]) throws {
        try useRoot { tool in
            try tool.issue("middle", by: "root", days: 900, extensions.joined(separator: "\n"))
            try tool.issue("leaf", by: "middle", days: 90, Self.names)
            let identity = try tool.identity("leaf", "middle")
            #expect(identity.defects(now: identity.leaf.notBefore) == expected)
            let whole = try tool.identity("leaf", "middle", "root")
            #expect(whole.defects(now: whole.leaf.notBefore) == expected)
        }
    }

    @Test("is refused for the certificate of the file, though a shorter way leads past another")
    func namesPlace() throws {
        try useRoot { tool in
            try tool.issue("middle", by: "root", days: 900, Self.authority, Self.issues)
            try tool.issue("leaf", by: "middle", days: 90, Self.names)
            try tool.issue("other", by: "root", days: 900, Self.authority, Self.issues)
            try tool.issue(
                "cross",
                by: "other",
                days: 900,
                subject: "root",
                key: "root",
                Self.authority,
                Self.issues,
                "1.2.3.4.5=critical,DER:0500"
            )
            let identity = try tool.identity("leaf", "middle", "root", "cross")
            #expect(identity.defects(now: identity.intermediates[2].notBefore) == [.refused(.unknownExtension, at: 3)])
        }
    }

    @Test("is no longer than each of it allows", arguments: [0, 1])
    func isShort(length: Int) throws {
        try useRoot { tool in
            try tool.issue("first", by: "root", days: 900, "\(Self.authority),pathlen:\(length)", Self.issues)
            try tool.issue("second", by: "first", days: 900, Self.authority, Self.issues)
            try tool.issue("leaf", by: "second", days: 90, Self.names)
            let identity = try tool.identity("leaf", "second", "first")
            let expected: [Identity.Defect] = length == 0 ? [.refused(.pathTooLong, at: 2)] : []
            #expect(identity.defects(now: identity.leaf.notBefore) == expected)
        }
    }
}
