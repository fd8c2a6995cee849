import Crypto
import JSON
import Server

@testable import Service

/// Two tenants of a vendor that wants identities signed, and one at its own host, each with a token of its own.
enum SigningFolder {
    static let token = "token-of-acme"
    static let otherToken = "token-of-rival"
    static let newToken = "second-token-of-acme"

    static func make(origins: [String] = []) throws -> TestFolder {
        let folder = try TestFolder()
        folder.files.settings = ["secretsDirectory=\(folder.path)/secrets"]
        try folder.write("config/bridges/signer.json", descriptor)
        try folder.write("secrets/acme-1", "inbox-secret-A\n")
        try folder.write("secrets/acme-2", "inbox-secret-B")
        try folder.write("secrets/rival-1", "inbox-secret-C")
        let keys = [("2026-11", "acme-1"), ("2026-10", "acme-2")]
        let acme = tenant(keys, tokens: [newToken, token], origins: origins)
        try folder.write("config/tenants/acme.json", acme)
        try folder.write("config/tenants/rival.json", tenant([("1", "rival-1")], tokens: [otherToken]))
        try folder.write("config/tenants/keyless.json", tenant([], tokens: [token]))
        let hosted = tenant([("1", "rival-1")], tokens: [otherToken], hosts: ["chat.hosted.example"])
        try folder.write("config/tenants/hosted.json", hosted)
        return folder
    }

    static let descriptor = """
        {
          "title": "Signer",
          "settings": { "inbox": { "type": "string", "default": "i" } },
          "identity": { "algorithm": "hmac-sha256-hex", "request": "visitor", "answers": { "id": "visitor", "hash": "proof" } }
        }
        """

    private static func tenant(
        _ keys: [(kid: String, file: String)],
        tokens: [String],
        origins: [String] = [],
        hosts: [String] = []
    ) -> String {
        let secrets = keys.map { JSONValue.object([("kid", .string($0.kid)), ("file", .string($0.file))]) }
        let signer: JSONValue = keys.isEmpty ? [:] : ["identity": ["secrets": .array(secrets)]]
        let digests = tokens.map { JSONValue.string("sha256:" + SHA256.hash(Array($0.utf8)).hexadecimal) }
        let value: JSONValue = [
            "hosts": .array(hosts.map(JSONValue.string)),
            "bridges": ["signer": signer, "chatty": ["settings": ["key": "k"]]],
            "access": ["tokens": .array(digests), "origins": .array(origins.map(JSONValue.string))],
        ]
        return value.text
    }
}

extension TestSite {
    /// Asks for an identity as a backend does.
    func sign(
        _ content: String,
        at path: String = "/api/v1/tenants/acme/bridges/signer/identity",
        host: String = "localhost",
        authorization: String? = "Bearer \(SigningFolder.token)",
        type: String? = "application/json",
        fields: String = "",
        role: Role = .secure,
        from peer: String = "127.0.0.1",
        through proxies: TrustedProxies? = nil
    ) throws -> Answer {
        var head = "POST \(path) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(content.utf8.count)\r\n\(fields)"
        if let authorization { head += "Authorization: \(authorization)\r\n" }
        if let type { head += "Content-Type: \(type)\r\n" }
        return try ask(Array((head + "\r\n" + content).utf8), at: role, from: peer, through: proxies)
    }
}
