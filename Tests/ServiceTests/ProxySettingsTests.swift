import HTTP
import JSON
import Server
import System
import Testing

@testable import Service

@Suite("Proxies in server.json")
struct ProxySettingsTests {
    private func read(_ keys: String, listener: String = "") throws -> (settings: Settings?, problems: [String]) {
        let folder = try TestFolder()
        try folder.write(
            "config/server.json",
            "{ \"listeners\": [{ \"address\": \"127.0.0.1\", \"port\": 0\(listener) }]\(keys) }"
        )
        let collector = ProblemCollector()
        let settings = ServiceLoader(folder.files).readSettings(collector)
        return (settings, collector.problems.map { "\($0)" })
    }

    @Test("are read as addresses and ranges, with the listeners that take their headers")
    func areRead() throws {
        let keys = #", "trustedProxies": ["10.0.0.0/8", "fc00::/7", "192.0.2.7"], "forwardedFields": "Forwarded""#
        let read = try read(keys, listener: #", "proxyProtocol": true"#)
        let settings = try #require(read.settings, "\(read.problems)")
        #expect(settings.trustedProxies.map(\.description) == ["10.0.0.0/8", "fc00::/7", "192.0.2.7/32"])
        #expect(settings.forwardedFields == .forwarded)
        #expect(settings.serverConfiguration.endpoints.map(\.takesProxyHeader) == [true])
        #expect(settings.serverConfiguration.trustedProxies != nil)
    }

    @Test("are nobody unless said, and then no fields count")
    func areNobody() throws {
        let settings = try #require(try read("").settings)
        #expect(settings.serverConfiguration.trustedProxies == nil)
        #expect(settings.serverConfiguration.endpoints.map(\.takesProxyHeader) == [false])
    }

    @Test(
        "are told when they are wrong, with what was meant",
        arguments: [
            ("0.0.0.0/0", "expected the network of your proxies, at least /8"), ("::/0", "at least /7"),
            ("0.0.0.0/1", "would trust nearly everybody"), ("2000::/3", "would trust nearly everybody"),
            ("10.0.0.0/33", "at most /32 after such an address"), ("::1/129", "at most /128"),
            ("10.0.0.5/24", "a range that begins at its first address, as 10.0.0.0/24"),
            ("proxy.example", "expected an IPv4 or IPv6 address, or a range"), ("10.0.0.0/", "a range such as"),
        ]
    )
    func areTold(range: String, told: String) throws {
        let problems = try read(", \"trustedProxies\": [\"10.0.0.0/8\", \"\(range)\"]").problems
        #expect(problems.count == 1 && problems[0].contains("$.trustedProxies[1]: found"), "\(problems)")
        #expect(problems.first?.contains(told) == true, "\(problems)")
    }

    @Test("must be named for a listener that takes the PROXY protocol, and the admin's takes none")
    func mustBeNamed() throws {
        let problems = try read("", listener: #", "proxyProtocol": true"#).problems
        #expect(problems.count == 1)
        #expect(problems[0].contains("$.listeners[0].proxyProtocol: found") && problems[0].contains("trustedProxies"))
        let admin = #", "admin": { "address": "127.0.0.1", "port": 0, "proxyProtocol": true }"#
        #expect(try read(admin).problems.contains { $0.contains("proxyProtocol") })
        let fields = try read(#", "forwardedFields": "forwarded""#).problems
        #expect(fields.count == 1 && fields[0].contains(#"expected "X-Forwarded" or "Forwarded""#), "\(fields)")
    }

    @Test("change only by a restart")
    func needRestart() throws {
        let one = try #require(try read("").settings)
        for keys in [#", "trustedProxies": ["10.0.0.1"]"#, #", "forwardedFields": "Forwarded""#] {
            #expect(one.keysForRestart(to: try #require(try read(keys).settings)).count == 1)
        }
    }
}
