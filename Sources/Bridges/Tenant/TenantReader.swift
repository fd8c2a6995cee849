internal import JSON

/// Reads tenants' files against the descriptors.
struct TenantReader {
    let descriptors: [BridgeDescriptor]
    /// Bridges whose own files are broken: what tenants say of them can't be judged in this load.
    let brokenBridges: Set<String>
    let reservedHosts: Set<String>
    let secretsDirectory: String?
    let settings: SettingsReader
    var files = KnownFiles()

    /// The draft of a file, as far as it can be read; whether it may be used is told by the collector.
    func read(_ root: Located, name: String) -> TenantDraft? {
        guard var reader = root.object else { return nil }
        _ = reader.value("$schema")?.string
        let hosts = reader.value("hosts").map(readHosts) ?? []
        let bridges = reader.value("bridges", required: true).map(readBridges) ?? []
        let access = reader.value("access").flatMap(AccessReader.read) ?? .none
        reader.finish()
        return TenantDraft(name: name, hosts: hosts, access: access, bridges: bridges)
    }

    private func readHosts(_ value: Located) -> [TenantDraft.Host] {
        var seen: Set<String> = []
        return (value.elements ?? []).compactMap { element in
            guard let host = element.string else { return nil }
            guard HostName.isValid(host.utf8) else {
                element.problems.report(.notAHost(element))
                return nil
            }
            guard !reservedHosts.contains(host) else {
                element.problems.report(.serviceHost(element))
                return nil
            }
            guard seen.insert(host).inserted else {
                element.problems.report(.repeatedHost(element))
                return nil
            }
            return TenantDraft.Host(name: host, place: element.place)
        }
    }

    private func readBridges(_ value: Located) -> [TenantBridgeDraft] {
        (value.entries ?? []).compactMap { name, entry in
            if brokenBridges.contains(where: { $0.isSame(as: name) }) { return nil }
            guard let descriptor = descriptors.first(where: { $0.name.isSame(as: name) }) else {
                let known = descriptors.map(\.name) + brokenBridges
                entry.problems.report(.unknownBridge(name, among: known, at: entry.place))
                return nil
            }
            return readBridge(entry, descriptor)
        }
        .sorted { $0.descriptor.name.precedes($1.descriptor.name) }
    }

    private func readBridge(_ entry: Located, _ descriptor: BridgeDescriptor) -> TenantBridgeDraft? {
        guard var reader = entry.object else { return nil }
        let settingsValue = reader.value("settings", required: descriptor.needsSettings)
        let config = settings.read(settingsValue, of: descriptor, entry: entry)
        let policy = reader.value("policy").flatMap(SourcesReader.readTenantSources)
        let reportOnly = reader.value("reportOnly").flatMap(SourcesReader.readTenantSources)
        let enabled = reader.value("enabled")?.bool
        let notice = reader.value("notice")?.string
        let autoStart = reader.value("autoStart")?.bool
        let reportViolations = reader.value("reportViolations")?.bool
        let timeout = reader.value("startTimeoutSeconds")?.integer(in: TenantBridgeDraft.startTimeouts)
        let keys = reader.value("identity").map { readKeys($0, descriptor) } ?? []
        reader.finish()
        return TenantBridgeDraft(
            descriptor: descriptor,
            config: config,
            sources: policy ?? [:],
            reportOnlySources: reportOnly.map { (policy ?? [:]).merging($0) { $1 } },
            isEnabled: enabled ?? true,
            notice: notice,
            autoStart: autoStart ?? false,
            reportsViolations: reportViolations ?? false,
            startTimeoutSeconds: timeout ?? TenantBridgeDraft.defaultStartTimeout,
            identity: descriptor.identity.map { TenantIdentity(rule: $0, keys: keys) }
        )
    }

    private func readKeys(_ value: Located, _ descriptor: BridgeDescriptor) -> [SigningKey] {
        guard descriptor.identity != nil else {
            value.problems.report(.noIdentityHere(value.confidential, bridge: descriptor.name))
            return []
        }
        return IdentityReader(secretsDirectory: secretsDirectory, files: files).read(value)
    }
}
