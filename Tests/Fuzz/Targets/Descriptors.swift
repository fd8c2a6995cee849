import JSON

@testable import Bridges

/// Any bytes as a vendor's file: a usable one says of itself what its schema needs, and judges a tenant's file.
enum Descriptors {
    static func check(_ bytes: [UInt8]) {
        let problems = ProblemCollector()
        let patterns = PatternCache()
        let descriptor = JSONReader.root(of: bytes, file: "f", problems: problems)
            .flatMap { DescriptorReader(patterns: patterns).read($0, name: "f") }
        Problems.check(problems)
        guard let descriptor, !problems.hasErrors else { return }
        check(descriptor)
        let reader = TenantReader(
            descriptors: [descriptor],
            brokenBridges: [],
            reservedHosts: [],
            secretsDirectory: nil,
            settings: SettingsReader(patterns: patterns)
        )
        Tenants.check([UInt8](#"{"bridges":{"f":{"settings":{}}}}"#), reader: reader, templates: [:])
    }

    private static func check(_ descriptor: BridgeDescriptor) {
        for setting in descriptor.settings {
            let values = setting.known + setting.warnings.map(\.value) + [setting.defaultValue].compactMap(\.self)
            expect(values.allSatisfy { isOfKind($0, setting.kind) }, "a value of another type in \(setting.name)")
        }
        let sources = PolicyBuilder(descriptor: descriptor, config: [:])
        PolicyText.check(sources.policy(template: Pages.blank, tenantSources: [:], reportPath: "/r").text)
        PolicyText.checkPermissions(sources.permissionsPolicy())
    }

    private static func isOfKind(_ value: JSONValue, _ kind: Setting.Kind) -> Bool {
        switch (value, kind) {
        case (.bool, .boolean), (.number, .integer), (.string, .string), (.string, .url), (.string, .color): true
        default: false
        }
    }
}
