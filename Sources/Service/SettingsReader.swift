internal import Bridges
internal import HTTP
internal import JSON
internal import Server
internal import System

/// Reads `server.json`; every problem goes to the collector, and what is wrong keeps its default.
struct SettingsReader {
    /// Folder of the file, which relative paths start from.
    let directory: String

    func read(_ root: Located) -> Settings {
        var settings = Settings()
        guard var reader = root.object else { return settings }
        _ = reader.value("$schema")?.string
        readTrustedProxies(&reader, into: &settings)
        settings.listeners = readListeners(
            reader.value("listeners", required: true),
            hasProxies: !settings.trustedProxies.isEmpty
        )
        settings.admin = reader.value("admin").flatMap { readListener($0, isAdmin: true, hasProxies: false) }
        settings.certificates =
            reader.value("certificates").map(KeyMaterial.hidden)?.elements?.compactMap(readCertificate) ?? []
        settings.challengeDirectory = reader.value("challengeDirectory")?.string.map(resolve)
        settings.hosts = reader.value("hosts")?.elements?.compactMap(readHost) ?? []
        settings.publicBaseURL = reader.value("publicBaseURL").flatMap(readOrigin)
        settings.secretsDirectory = reader.value("secretsDirectory")?.string.map(resolve)
        let secrets = settings.secretsDirectory
        let ticketKeys = reader.value("ticketKeys").map(KeyMaterial.hidden)?.elements
        settings.ticketKeys = ticketKeys?.compactMap { readSecret($0, in: secrets) } ?? []
        settings.refusesUnknownNames = reader.value("unknownServerName").flatMap(readUnknownName) ?? false
        settings.watchesFiles = reader.value("watch")?.bool ?? true
        if let log = reader.value("log") { settings.log = readLog(log) }
        settings.workers = reader.value("workers")?.integer(in: 1...256)
        if let limits = reader.value("limits") { readLimits(limits, into: &settings) }
        if let timeouts = reader.value("timeouts") { readTimeouts(timeouts, into: &settings) }
        reader.finish()
        return settings
    }

    private func readListeners(_ value: Located?, hasProxies: Bool) -> [Settings.Listener] {
        guard let value, let elements = value.elements else { return [] }
        if !(1...ServerSchema.mostListeners).contains(elements.count) {
            value.expected("one to \(ServerSchema.mostListeners) listeners") as Void?
        }
        return elements.compactMap { readListener($0, isAdmin: false, hasProxies: hasProxies) }
    }

    private func readListener(_ value: Located, isAdmin: Bool, hasProxies: Bool) -> Settings.Listener? {
        guard var reader = value.object else { return nil }
        let address = reader.value("address", required: true).flatMap(readAddress)
        let port = reader.value("port", required: true)?.integer(in: 0...65_535)
        var role = isAdmin ? Settings.Listener.Role.plain : .secure
        var takesProxyHeader = false
        if !isAdmin {
            takesProxyHeader = reader.value("proxyProtocol").map { readProxyProtocol($0, hasProxies) } ?? false
            let usesTLS = reader.value("tls")?.bool ?? true
            let redirect = reader.value("redirect")
            if redirect?.bool == true { role = .redirect } else if !usesTLS { role = .plain }
        }
        reader.finish()
        guard let address, let port else { return nil }
        return Settings.Listener(address: address, port: port, role: role, takesProxyHeader: takesProxyHeader)
    }

    private func readAddress(_ value: Located) -> String? {
        guard let text = value.string else { return nil }
        guard SocketAddress(literal: text, port: 0) != nil else {
            return value.expected(
                "an IPv4 or IPv6 address",
                advice: "0.0.0.0 is every IPv4 address, :: every IPv6 one."
            )
        }
        return text
    }

    private func readCertificate(_ value: Located) -> Settings.CertificateFiles? {
        guard var reader = value.object else { return nil }
        let chain = reader.value("chain", required: true).flatMap(readFile)
        let key = reader.value("key", required: true).flatMap(readFile)
        reader.finish()
        guard let chain, let key else { return nil }
        return Settings.CertificateFiles(chain: chain, key: key)
    }

    private func readFile(_ value: Located) -> String? {
        guard let name = KeyMaterial.hidden(value).string else { return nil }
        let path = resolve(name)
        return isFile(value, name, path) ? path : nil
    }

    private func readHost(_ value: Located) -> String? {
        guard let text = value.string else { return nil }
        guard HostName.isHost(text) else {
            return value.expected("a host name in lower case, or an address; no port, no wildcard")
        }
        return text
    }

    private func readOrigin(_ value: Located) -> String? {
        guard let text = value.string else { return nil }
        guard HostName.ofOrigin(text) != nil else {
            return value.expected("an origin such as https://chat.example or https://localhost:8443, without a path")
        }
        return text
    }

    private func readSecret(_ value: Located, in secretsDirectory: String?) -> String? {
        let value = KeyMaterial.hidden(value)
        guard let name = value.string else { return nil }
        let isAbsolute = name.utf8.first == UInt8(ascii: "/")
        guard isAbsolute || secretsDirectory != nil else {
            return value.expected("a secretsDirectory, which the file's name is relative to")
        }
        let path = isAbsolute ? name : (secretsDirectory ?? "") + "/" + name
        return isFile(value, name, path) ? path : nil
    }

    /// Whether a text names a file; false, which is reported without it, if it is rather a key.
    private func isFile(_ value: Located, _ name: String, _ path: String) -> Bool {
        guard KeyMaterial.isLikely(name), !File.exists(path) else { return true }
        // Folders may have names of any digits; where they are there, it is a path.
        let parts = path.split(separator: "/").dropLast()
        if name.contains("/"), File.exists("/" + parts.joined(separator: "/")) { return true }
        KeyMaterial.hidden(value).expected("the name of a file: a key's own text does not belong here") as Void?
        return false
    }

    private func readUnknownName(_ value: Located) -> Bool? {
        switch value.string {
        case nil: nil
        case "default": false
        case "refuse": true
        default: value.expected("\"default\" or \"refuse\"")
        }
    }

    private func resolve(_ path: String) -> String {
        path.utf8.first == UInt8(ascii: "/") ? path : directory + "/" + path
    }
}

// MARK: - Numbers

extension SettingsReader {
    private func readLimits(_ value: Located, into settings: inout Settings) {
        guard var reader = value.object else { return }
        func set(_ target: inout Int, _ name: String, _ range: ClosedRange<Int>) {
            if let number = reader.value(name)?.integer(in: range) { target = number }
        }
        set(&settings.requestLimits.head, "headBytes", 1_024...1_048_576)
        set(&settings.requestLimits.target, "targetBytes", 256...65_536)
        set(&settings.requestLimits.fields, "fields", 10...1_000)
        set(&settings.requestLimits.content, "contentBytes", 1_024...16_777_216)
        set(&settings.connectionLimits.connections, "connections", 1...1_000_000)
        set(&settings.connectionLimits.connectionsPerAddress, "connectionsPerAddress", 1...1_000_000)
        set(&settings.connectionLimits.handshakes, "handshakes", 1...1_000_000)
        set(&settings.connectionLimits.keptBytes, "keptBytes", 1_048_576...68_719_476_736)
        func set(_ target: inout Rate, _ name: String, _ rate: (Int) -> Rate) {
            if let number = reader.value(name)?.integer(in: 1...1_000_000) { target = rate(number) }
        }
        set(&settings.identityRates.perTenant, "identitiesPerSecond", Rate.perSecond)
        set(&settings.identityRates.perAddress, "identitiesPerSecondPerAddress", Rate.perSecond)
        set(&settings.identityRates.failuresPerAddress, "failuresPerMinutePerAddress", Rate.perMinute)
        reader.finish()
    }

    private func readTimeouts(_ value: Located, into settings: inout Settings) {
        guard var reader = value.object else { return }
        func set(_ target: inout Int, _ name: String, _ range: ClosedRange<Int> = 1...3_600, unit: Int = 1_000) {
            if let number = reader.value(name)?.integer(in: range) { target = number * unit }
        }
        set(&settings.timeouts.handshake, "handshakeSeconds")
        set(&settings.timeouts.head, "headSeconds")
        set(&settings.timeouts.body, "bodySeconds")
        set(&settings.timeouts.write, "writeSeconds")
        set(&settings.timeouts.idle, "idleSeconds")
        set(&settings.drainDelaySeconds, "drainDelaySeconds", 0...600, unit: 1)
        set(&settings.drainSeconds, "drainSeconds", 1...600, unit: 1)
        reader.finish()
    }
}
