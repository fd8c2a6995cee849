internal import HTTP
internal import Server

// What of the settings can change while the server runs.

extension Settings {
    /// These, with what a running server can take over from others.
    func adopting(_ now: Settings) -> Settings {
        var settings = self
        settings.certificates = now.certificates
        settings.ticketKeys = now.ticketKeys
        settings.refusesUnknownNames = now.refusesUnknownNames
        settings.hosts = now.hosts
        settings.publicBaseURL = now.publicBaseURL
        settings.challengeDirectory = now.challengeDirectory
        settings.secretsDirectory = now.secretsDirectory
        settings.watchesFiles = now.watchesFiles
        settings.log.level = now.log.level
        settings.drainDelaySeconds = now.drainDelaySeconds
        return settings
    }

    /// The keys of `server.json` that others have otherwise and a running server can't take over, in the order of the file.
    func keysForRestart(to now: Settings) -> [String] {
        func differs<Value: Equatable>(_ value: (Settings) -> Value) -> Bool { value(self) != value(now) }
        let differences: [(key: String, isThere: Bool)] = [
            ("listeners", differs(\.listeners)),
            ("admin", differs(\.admin)),
            ("trustedProxies", differs(\.trustedProxies)),
            ("forwardedFields", differs(\.forwardedFields)),
            ("log", !log.isSameButLevel(as: now.log)),
            ("workers", differs(\.workers)),
            ("limits.headBytes", differs(\.requestLimits.head)),
            ("limits.targetBytes", differs(\.requestLimits.target)),
            ("limits.fields", differs(\.requestLimits.fields)),
            ("limits.contentBytes", differs(\.requestLimits.content)),
            ("limits.connections", differs(\.connectionLimits.connections)),
            ("limits.connectionsPerAddress", differs(\.connectionLimits.connectionsPerAddress)),
            ("limits.handshakes", differs(\.connectionLimits.handshakes)),
            ("limits.keptBytes", differs(\.connectionLimits.keptBytes)),
            ("limits.identitiesPerSecond", differs(\.identityRates.perTenant)),
            ("limits.identitiesPerSecondPerAddress", differs(\.identityRates.perAddress)),
            ("limits.failuresPerMinutePerAddress", differs(\.identityRates.failuresPerAddress)),
            ("timeouts.handshakeSeconds", differs(\.timeouts.handshake)),
            ("timeouts.headSeconds", differs(\.timeouts.head)),
            ("timeouts.bodySeconds", differs(\.timeouts.body)),
            ("timeouts.writeSeconds", differs(\.timeouts.write)),
            ("timeouts.idleSeconds", differs(\.timeouts.idle)),
            ("timeouts.drainSeconds", differs(\.drainSeconds)),
        ]
        return differences.filter(\.isThere).map(\.key)
    }
}
