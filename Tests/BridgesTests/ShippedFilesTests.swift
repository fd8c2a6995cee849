import JSON
import PolicyScorers
import System
import Testing

@testable import Bridges

@Suite("Shipped files")
struct ShippedFilesTests {
    private func descriptors() -> (values: [BridgeDescriptor], problems: [Problem]) {
        let collector = ProblemCollector()
        let directory = Repository.root + "/config/bridges"
        let values = (ConfigFolder(KnownFiles()).names(in: directory, problems: collector) ?? []).compactMap { name in
            ConfigFolder(KnownFiles()).bytes(of: "\(directory)/\(name).json", problems: collector)
                .flatMap { JSONReader.root(of: $0, file: name, problems: collector) }
                .flatMap { DescriptorReader(patterns: PatternCache()).read($0, name: name) }
        }
        return (values, collector.problems)
    }

    @Test("The descriptors have no problem")
    func descriptorsAreClean() {
        let (values, problems) = descriptors()
        #expect(values.map(\.name) == ["barantum", "smart-assistant", "talkdesk"])
        #expect(problems == [])
    }

    @Test(
        "The descriptors have every setting that the vendors' guides give to apps",
        arguments: [
            (
                "talkdesk",
                "touchpointId region languageCode enableEmoji enableAttachments enableSoundNotification enableUserInput "
                    + "enableChatHeader enableValidation scriptURL"
            ),
            ("smart-assistant", "apiKey language opened hideMinimize"),
            (
                "barantum",
                "livechatBaseURL inboxIdentifier widgetURL locale title subtitle color logoURL visitorName visitorEmail "
                    + "visitorPhone preChat"
            ),
        ]
    )
    func settingsAreComplete(bridge: String, names: String) throws {
        let descriptor = try #require(descriptors().values.first { $0.name == bridge })
        for name in names.split(separator: " ") { #expect(descriptor.setting(String(name)) != nil, "\(name)") }
    }

    @Test("and the id and hash of a visitor come signed alone")
    func identityIsComplete() throws {
        let descriptor = try #require(descriptors().values.first { $0.identity != nil })
        let rule = try #require(descriptor.identity)
        #expect(
            [rule.requestField, rule.idField, rule.hashField].map { descriptor.setting($0) == nil } == [
                true, true, true,
            ]
        )
        #expect((rule.idField, rule.hashField) == ("visitorExternalId", "livechatIdentifierHash"))
    }

    @Test("The committed schemas are those that the descriptors make")
    func schemasAreCurrent() throws {
        for file in Schemas.files(descriptors().values) {
            let committed = try File.read("\(Repository.root)/config/schemas/\(file.name)")
            #expect(String(decoding: committed, as: UTF8.self) == file.text, "bridgehost schema writes it anew")
        }
    }

    private static let hasPages = File.exists(Repository.root + "/public/bridge.js")

    private func load() -> Load {
        let source = CatalogSource(
            configDirectory: Repository.root + "/config",
            publicDirectory: Repository.root + "/public",
            publicBaseURL: "https://bridges.example"
        )
        return CatalogLoader(source: source).load()
    }

    @Test("The tenants load without a problem, and so do the pages", .enabled(if: hasPages))
    func catalogLoads() throws {
        let load = load()
        #expect(load.problems == [])
        #expect(load.catalog?.tenants.map(\.name) == ["acme", "demo"])
    }

    @Test("The pages' policies have no finding", .enabled(if: hasPages))
    func policiesAreStrict() throws {
        let pages = try #require(load().catalog).tenants.flatMap(\.bridges).compactMap(\.page)
        #expect(pages.count == 4)
        for page in pages { #expect(CSPEvaluator.findings(page.contentSecurityPolicy) == []) }
    }

    @Test("No Swift source names a vendor")
    func sourcesNameNoVendor() throws {
        let words = descriptors().values.flatMap { [$0.name, String($0.title.prefix { $0 != " " }).lowercased()] }
        #expect(words.count == 6)
        let sources = try swiftFiles(in: Repository.root + "/Sources")
        #expect(sources.count > 50)
        for path in sources {
            let text = String(decoding: try File.read(path), as: UTF8.self).lowercased()
            let named = words.filter { text.contains($0) }
            #expect(named == [], "\(path)")
        }
    }

    private func swiftFiles(in folder: String) throws -> [String] {
        try File.names(in: folder).flatMap { name -> [String] in
            let path = folder + "/" + name
            if name.hasSuffix(".swift") { return [path] }
            return (try? swiftFiles(in: path)) ?? []
        }
    }
}
