import Bridges
import HTTP
import JSON
import Server
import Testing

@testable import Service

@Suite("server.json")
struct SettingsTests {
    private func problems(_ text: String, flags: [String] = [], environment: [String: String] = [:]) throws -> [String]
    {
        try read(text, flags: flags, environment: environment).problems
    }

    private func read(
        _ text: String,
        flags: [String] = [],
        environment: [String: String] = [:]
    ) throws -> (settings: Settings?, problems: [String]) {
        let folder = try TestFolder()
        try folder.write("config/server.json", text)
        folder.files.settings = flags
        folder.files.environment = environment
        let collector = ProblemCollector()
        let settings = ServiceLoader(folder.files).readSettings(collector)
        let prefix = folder.files.serverFile
        return (settings, collector.problems.map { "\($0)".replacing(prefix, with: "server.json") })
    }

    private let minimal = #"{ "listeners": [{ "address": "127.0.0.1", "port": 8443 }] }"#

    @Test("is read with defaults for what it does not say")
    func hasDefaults() throws {
        let settings = try #require(try read(minimal).settings)
        #expect(settings.listeners == [.init(address: "127.0.0.1", port: 8443, role: .secure)])
        #expect(settings.admin == nil && settings.hosts.isEmpty && settings.publicBaseURL == nil)
        #expect(settings.timeouts.idle >= 60_000)
    }

    @Test("is told all that is wrong with it at once, with places and the nearest right key")
    func tellsAll() throws {
        let text = """
            {
              "listeners": [{ "address": "localhost", "port": 70000, "tls": 1 }],
              "publicBaseUrl": "https://x.example",
              "timeouts": { "idleSeconds": 1.0 }
            }
            """
        let found = try problems(text)
        #expect(found.count == 5, "\(found)")
        #expect(found.contains { $0.hasPrefix("server.json:2:30: error: $.listeners[0].address: ") })
        #expect(found.contains { $0.contains("$.listeners[0].port: found the number 70000") })
        #expect(found.contains { $0.contains("$.listeners[0].tls: found the number 1; expected true or false") })
        #expect(found.contains { $0.contains("publicBaseUrl") && $0.contains("Did you mean \"publicBaseURL\"?") })
        #expect(found.contains { $0.contains("$.timeouts.idleSeconds: found the number 1.0") })
    }

    @Test("has listeners, and not more than workers can tell apart", arguments: [(0, 1), (1, 0), (64, 0), (65, 1)])
    func boundsListeners(count: Int, problems expected: Int) throws {
        let one = #"{ "address": "127.0.0.1", "port": 0 }"#
        let list = [String](repeating: one, count: count).joined(separator: ", ")
        let found = try problems(#"{ "listeners": [\#(list)] }"#)
        #expect(found.count(where: { $0.contains("one to 64 listeners") }) == expected, "\(found)")
    }

    @Test("stands under the environment, and the environment under flags")
    func hasPrecedence() throws {
        let environment = [
            "BRIDGEHOST_LISTENERS_0_PORT": "1", "BRIDGEHOST_LISTENERS_0_ADDRESS": "0.0.0.0", "PATH": "/",
        ]
        let settings = try #require(try read(minimal, flags: ["listeners.0.port=2"], environment: environment).settings)
        #expect(settings.listeners == [.init(address: "0.0.0.0", port: 2, role: .secure)])
    }

    @Test("takes lists, booleans and further listeners from the environment")
    func takesStructures() throws {
        let environment = [
            "BRIDGEHOST_HOSTS": #"["a.example"]"#, "BRIDGEHOST_LISTENERS_1_ADDRESS": "127.0.0.1",
            "BRIDGEHOST_LISTENERS_1_PORT": "8080", "BRIDGEHOST_LISTENERS_1_REDIRECT": "true",
            "BRIDGEHOST_LIMITS_CONNECTIONS_PER_ADDRESS": "5",
        ]
        let settings = try #require(try read(minimal, environment: environment).settings)
        #expect(settings.hosts == ["a.example"])
        #expect(settings.listeners.last == .init(address: "127.0.0.1", port: 8_080, role: .redirect))
        #expect(settings.connectionLimits.connectionsPerAddress == 5)
    }

    @Test("says what is logged, how and where; nothing of answers unless told")
    func readsLog() throws {
        #expect(try read(minimal).settings?.log == LogSettings())
        #expect(try read(minimal).settings?.serverConfiguration.tells == nil)
        let flags = ["log.level=debug", "log.format=json", "log.access=/var/log/x.log", "log.query=true"]
        let settings = try #require(try read(minimal, flags: flags).settings)
        let file = LogSettings.Access.file("/var/log/x.log")
        #expect(settings.log == LogSettings(level: .debug, format: .json, access: file, hasQueries: true))
        #expect(settings.serverConfiguration.tells == .pathAndQuery)
        let other = try #require(try read(minimal, environment: ["BRIDGEHOST_LOG_ACCESS": "stdout"]).settings)
        #expect(other.log.access == .standardOutput && other.serverConfiguration.tells == .path)
        #expect(settings.keysForRestart(to: other) == ["log"])
        let quiet = try #require(try read(minimal, flags: ["log.access=stdout", "log.level=error"]).settings)
        #expect(quiet.keysForRestart(to: other) == [])
    }

    @Test(
        "takes nothing else for a log",
        arguments: [
            (#"log.level=\"verbose\""#, #"one of "error", "warning", "info", "debug""#),
            ("log.format=xml", #"one of "text", "json""#),
            ("log.access=stderr", #""off", "stdout" or the absolute path of a file"#),
            ("log.access=access.log", "absolute path"), ("log.query=1", "true or false"), ("log.acces=off", "access"),
            ("log=off", "an object"),
        ]
    )
    func refusesOtherLogs(flag: String, told: String) throws {
        let found = try problems(minimal, flags: [flag])
        #expect(found.count == 1 && found[0].contains(told), "\(found)")
    }

    @Test("a wrong value of a variable or flag is told by the name of that")
    func namesSources() throws {
        let found = try problems(minimal, flags: ["workers=none"], environment: ["BRIDGEHOST_LISTENERS_0_PORT": "x"])
        #expect(
            found.contains { $0.hasPrefix("environment variable BRIDGEHOST_LISTENERS_0_PORT: error: ") },
            "\(found)"
        )
        #expect(found.contains { $0.hasPrefix("--set workers: error: ") }, "\(found)")
    }

    @Test("an unknown variable is told with the nearest key")
    func namesUnknownVariables() throws {
        let found = try problems(minimal, environment: ["BRIDGEHOST_LISTNERS_0_PORT": "1"])
        #expect(found.count == 1)
        #expect(found[0].contains("BRIDGEHOST_LISTNERS_0_PORT") && found[0].contains("Did you mean LISTENERS?"))
    }

    @Test(
        "names keys in upper snake case",
        arguments: [
            ("publicBaseURL", "PUBLIC_BASE_URL"), ("connectionsPerAddress", "CONNECTIONS_PER_ADDRESS"), ("tls", "TLS"),
        ]
    )
    func snakes(key: String, variable: String) { #expect(SettingsOverlay.upperSnake(key) == variable) }
}

@Suite("A host name")
struct HostNameTests {
    @Test(
        "is a DNS name in lower case or an address",
        arguments: [
            ("chat.example", true), ("localhost", true), ("127.0.0.1", true), ("[::1]", true), ("a-b.c", true),
            ("Chat.example", false), ("a..b", false), ("-a.b", false), ("a_b.c", false), ("a.b:80", false), ("", false),
            ("*.a.b", false), ("[::1", false), ("é.example", false),
        ]
    )
    func isHost(text: String, isHost: Bool) { #expect(HostName.isHost(text) == isHost) }

    @Test(
        "of an origin comes with its port",
        arguments: [
            ("https://a.example", 443), ("https://a.example:8443", 8_443), ("https://[::1]:1", 1),
        ]
    )
    func readsOrigins(text: String, port: Int) { #expect(HostName.ofOrigin(text)?.port == port) }

    @Test(
        "is not that of anything but an origin",
        arguments: [
            "http://a.example", "https://a.example/", "https://a.example:0", "https://a.example:99999", "https://",
            "https://A.b",
            "https://u@a.example", "https://a.example:80:80", "a.example",
        ]
    )
    func refusesOthers(text: String) { #expect(HostName.ofOrigin(text) == nil) }
}
