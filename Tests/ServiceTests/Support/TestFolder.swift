import Crypto
import Foundation
import HTTP
import JSON
import Server
import System

@testable import Service

/// A service's files in a folder that is gone after the test, with one made-up vendor.
final class TestFolder {
    let path: String
    var files: ServiceFiles

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        files = ServiceFiles(configDirectory: path + "/config", publicDirectory: path + "/public")
        for folder in ["config/bridges", "config/tenants", "public", "secrets"] {
            try File.makeDirectory(path + "/" + folder)
        }
        try write("config/server.json", Self.server)
        try write("config/bridges/chatty.json", Self.descriptor)
        try write("public/chatty.html", Self.page)
        try write("config/tenants/acme.json", Self.tenant("acme"))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
        try File.write(Array(text.utf8), to: path + "/" + name)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

    /// Puts self-signed certificates in place of what the settings have, one a host, in that order.
    func certify(_ hosts: String...) throws {
        var settings: [String] = []
        for (index, host) in hosts.enumerated() {
            let made = try CertificateMaker.selfSigned(hosts: [host], days: 90, now: Clock.wallSeconds)
            for (name, pem) in [("chain", try made.leaf.pem()), ("key", try made.key.pem())] {
                try File.write(pem, to: "\(path)/\(host).\(name)", mode: name == "key" ? 0o600 : 0o644)
                settings.append("certificates.\(index).\(name)=\(path)/\(host).\(name)")
            }
        }
        files.settings = settings
    }

    /// Files of a new leaf of an authority's, with other certificates behind.
    func put(_ host: String, by authority: Identity, days: Int = 90, now: Int, behind: [Identity]) throws {
        let made = try CertificateMaker.leaf(hosts: [host], authority: authority, days: days, now: now)
        try File.write(made.key.pem(), to: "\(path)/\(host).key")
        try File.write(made.leaf.pem() + behind.flatMap { try $0.leaf.pem() }, to: "\(path)/\(host).chain")
    }

    func load(previous: ServiceLoad? = nil, inspects: Bool = false) -> ServiceLoad {
        ServiceLoader(files, inspects: inspects).load(previous: previous)
    }

    static let server = """
        {
          "listeners": [
            { "address": "127.0.0.1", "port": 0 },
            { "address": "127.0.0.1", "port": 0, "tls": false },
            { "address": "127.0.0.1", "port": 0, "redirect": true }
          ],
          "admin": { "address": "127.0.0.1", "port": 0 },
          "hosts": ["pages.example"],
          "publicBaseURL": "https://pages.example"
        }
        """

    static let descriptor = """
        {
          "title": "Chatty",
          "page": "chatty.html",
          "settings": { "key": { "type": "string", "required": true } },
          "policy": { "script-src": ["https://cdn.chatty.example"], "style-src": ["'unsafe-inline'"] },
          "native": { "handler": "chatty", "body": "event" }
        }
        """

    static let page = """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chat</title></head><body>
        <script type="application/json" id="bridge-config">{}</script>
        <script>window.chatty = 1</script></body></html>
        """

    static func tenant(_ key: String, hosts: [String] = []) -> String {
        let names = hosts.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            { "hosts": [\(names)], "bridges": { "chatty": { "settings": { "key": "\(key)" } } } }
            """
    }
}

/// An answer, taken apart.
struct Answer {
    let status: Int
    let fields: [(name: String, value: String)]
    let content: [UInt8]

    init(_ bytes: [UInt8]) {
        let end = bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) } ?? bytes.endIndex
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        status = Int(lines[0].split(separator: " ")[1]) ?? 0
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]).lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
        }
        content = Array(bytes[min(end + 4, bytes.count)...])
    }

    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
    func value(_ name: String) -> String? { values(name).first }
    var text: String { String(decoding: content, as: UTF8.self) }
}

/// A site, asked without sockets.
struct TestSite {
    let site: Site
    let readiness = Readiness()
    let reports: ReportCollector
    let labels: AnswerLabels
    static let roles: [Role] = [.secure, .plain, .redirect, .admin]

    init(
        _ load: ServiceLoad,
        limits: IdentityLimits = IdentityLimits(clock: { 0 }),
        labels: AnswerLabels = AnswerLabels(),
        memory: SiteMemory = SiteMemory()
    ) throws {
        self.labels = labels
        reports = try ReportCollector(clock: { 7_000 })
        let sources = AdminSources(
            readiness: readiness,
            metrics: [ProcessMetrics(), ReportMetrics(reports: reports)]
        )
        site = load.site(
            load.settings ?? Settings(),
            roles: Self.roles,
            sources: sources,
            reports: reports,
            limits: limits,
            labels: labels,
            securePort: 8443,
            memory: memory
        )
    }

    func ask(_ request: String, at role: Role = .secure, shown certificate: Certificate? = nil) throws -> Answer {
        try ask(Array(request.utf8), at: role, shown: certificate)
    }

    func ask(
        _ bytes: [UInt8],
        at role: Role = .secure,
        shown certificate: Certificate? = nil,
        from peer: String = "127.0.0.1",
        through proxies: TrustedProxies? = nil
    ) throws -> Answer {
        var head = RequestHead()
        var decoder = RequestDecoder(limits: RequestLimits())
        var writer = ResponseWriter(date: HTTPDate.format(0))
        var connection = ConnectionFacts(
            listener: Self.roles.firstIndex(of: role) ?? 0,
            peer: SocketAddress(literal: peer, port: 1) ?? { preconditionFailure() }(),
            proxies: proxies
        )
        connection.namedCertificate = certificate
        switch decoder.next(bytes.span, into: &head) {
        case .request(_, let content):
            writer.omitsContent = head.method == .head
            site.respond(to: head, bytes.span, content: content, on: connection, into: &writer)
        case .rejected(let rejection): site.reject(rejection, on: connection, into: &writer)
        case .incomplete: break
        }
        return Answer(writer.bytes)
    }

    func get(_ path: String, host: String = "localhost", _ fields: String = "", at role: Role = .secure) throws
        -> Answer
    {
        try ask("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n", at: role)
    }
}
