import JSON

@testable import Bridges

/// Shortcuts from a text to what our readers make of it.
enum Samples {
    /// The descriptor in a text, and all that was found wrong with it.
    static func descriptor(_ text: String, name: String = "sample") -> (value: BridgeDescriptor?, problems: [String]) {
        let collector = ProblemCollector()
        let value = JSONReader.root(of: Array(text.utf8), file: "\(name).json", problems: collector)
            .flatMap { DescriptorReader(patterns: PatternCache()).read($0, name: name) }
        return (value, collector.problems.map(\.description))
    }

    /// What a tenant's file says to the fixture's bridges, and all that was found wrong with it.
    static func tenant(_ text: String, secretsDirectory: String? = "/run/secrets") -> (
        draft: TenantDraft?, problems: [String]
    ) {
        let bridges = [("envoy", Fixture.signingDescriptor), ("parley", Fixture.descriptor)]
            .compactMap { descriptor($0.1, name: $0.0).value }
        let collector = ProblemCollector()
        let reader = TenantReader(
            descriptors: bridges,
            brokenBridges: [],
            reservedHosts: ["bridges.example", "localhost"],
            secretsDirectory: secretsDirectory,
            settings: SettingsReader(patterns: PatternCache())
        )
        let draft = JSONReader.root(of: Array(text.utf8), file: "t.json", problems: collector)
            .flatMap { reader.read($0, name: "t") }
        return (draft, collector.problems.map(\.description))
    }

    /// A tenant's file whose only bridge is the fixture's page bridge with this entry.
    static func entry(_ entry: String) -> String { "{\"bridges\":{\"parley\":\(entry)}}" }

    /// The same with these settings beside the required one.
    static func settings(_ settings: String) -> String {
        entry("{\"settings\":{\"room\":\"hall\"\(settings.isEmpty ? "" : ",")\(settings)}}")
    }
}
