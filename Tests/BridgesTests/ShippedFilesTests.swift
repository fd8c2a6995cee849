import JSON
import System
import Testing

@testable import Bridges

@Suite("Shipped files")
struct ShippedFilesTests {
    private func descriptors() -> (values: [BridgeDescriptor], problems: [Problem]) {
        let collector = ProblemCollector()
        let directory = Repository.root + "/config/bridges"
        let values = (ConfigFolder.names(in: directory, problems: collector) ?? []).compactMap { name in
            ConfigFolder.bytes(of: "\(directory)/\(name).json", problems: collector)
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

    @Test("The committed schemas are those that the descriptors make")
    func schemasAreCurrent() throws {
        for file in Schemas.files(descriptors().values) {
            let committed = try File.read("\(Repository.root)/config/schemas/\(file.name)")
            #expect(String(decoding: committed, as: UTF8.self) == file.text, "bridgehost schema writes it anew")
        }
    }

    private static let hasPages = File.exists(Repository.root + "/public/bridge.js")

    @Test("The tenants load without a problem, and so do the pages", .enabled(if: hasPages))
    func catalogLoads() throws {
        let source = CatalogSource(
            configDirectory: Repository.root + "/config",
            publicDirectory: Repository.root + "/public",
            publicBaseURL: "https://bridges.example"
        )
        let load = CatalogLoader(source: source).load()
        #expect(load.problems == [])
        let catalog = try #require(load.catalog)
        #expect(catalog.tenants.map(\.name) == ["acme", "demo"])
    }
}
