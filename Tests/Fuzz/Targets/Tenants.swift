import JSON

@testable import Bridges

/// Any bytes as a tenant's file, beside the shipped vendors: what is accepted makes pages whose data can't leave its block
/// and whose policies say no more than was asked for.
enum Tenants {
    private static nonisolated(unsafe) let patterns = PatternCache()

    private static let shipped: DescriptorFiles.Outcome = {
        let source = CatalogSource(
            configDirectory: "config",
            publicDirectory: "public",
            publicBaseURL: nil,
            secretsDirectory: "/run/secrets",
            serviceHosts: ["bridges.example"],
            revisionSalt: "1"
        )
        let problems = ProblemCollector()
        let outcome = DescriptorFiles(source: source, patterns: patterns).read(problems: problems)
        expect(outcome.descriptors.count > 2 && outcome.broken.isEmpty, "the shipped files: \(problems.problems)")
        return outcome
    }()

    static func check(_ bytes: [UInt8]) {
        let reader = TenantReader(
            descriptors: shipped.descriptors,
            brokenBridges: [],
            reservedHosts: ["bridges.example"],
            secretsDirectory: "/run/secrets",
            settings: SettingsReader(patterns: patterns)
        )
        check(bytes, reader: reader, templates: shipped.templates)
    }

    static func check(_ bytes: [UInt8], reader: TenantReader, templates: [String: PageTemplate]) {
        let problems = ProblemCollector()
        let draft = JSONReader.root(of: bytes, file: "f", problems: problems).flatMap { reader.read($0, name: "acme") }
        Problems.check(problems)
        guard let draft, !problems.hasErrors else { return }
        let renderer = TenantRenderer(
            templates: templates,
            publicBaseURL: "https://bridges.example",
            revisionSalt: "1",
            explains: true
        )
        let tenant = renderer.render(draft)
        for (bridge, again) in zip(tenant.bridges, renderer.render(draft).bridges) {
            expect(bridge.revision == again.revision, "two revisions of one file")
            if let page = bridge.page { check(page, of: bridge) }
        }
    }

    private static func check(_ page: Page, of bridge: TenantBridge) {
        expect(Set("<>&\r\n".utf8).isDisjoint(with: page.data), "the data can leave its block: \(text(page.data))")
        guard case .object(let members) = (try? JSONReader.read(page.data))?.root.content else {
            return expect(false, "unreadable data: \(text(page.data))")
        }
        let value = { (name: String) in members.first { $0.name == name }?.node.value }
        expect(value("config") == bridge.configuration, "another config in \(text(page.data))")
        expect(value("revision") == .string(bridge.revision), "another revision in \(text(page.data))")
        expect(value("notice") == bridge.notice.map(JSONValue.string), "another notice in \(text(page.data))")
        for policy in [page.contentSecurityPolicy, page.reportOnlyPolicy].compactMap(\.self) {
            PolicyText.check(policy)
        }
        PolicyText.checkPermissions(page.permissionsPolicy)
    }
}
