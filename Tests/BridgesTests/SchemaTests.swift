import JSON
import System
import Testing

@testable import Bridges

/// `Cases/tenants` holds files that our reader and any JSON Schema validator judge by the shipped descriptors: `good` by
/// both, `bad-schema` refused by both, `bad-semantics` refused by our reader alone.
@Suite("Schemas and readers agree")
struct SchemaTests {
    private static let directory = Repository.root + "/Tests/BridgesTests/Cases/tenants"

    private static func names(_ kind: String) -> [String] {
        ((try? File.names(in: "\(directory)/\(kind)")) ?? []).map { "\(kind)/\($0)" }
    }

    private func problems(_ name: String) throws -> [Problem] {
        let patterns = PatternCache()
        let collector = ProblemCollector()
        let folder = Repository.root + "/config/bridges"
        let descriptors = try #require(ConfigFolder(KnownFiles()).names(in: folder, problems: collector)).compactMap {
            bridge in
            ConfigFolder(KnownFiles()).bytes(of: "\(folder)/\(bridge).json", problems: collector)
                .flatMap { JSONReader.root(of: $0, file: bridge, problems: collector) }
                .flatMap { DescriptorReader(patterns: patterns).read($0, name: bridge) }
        }
        #expect(collector.problems == [])
        let reader = TenantReader(
            descriptors: descriptors,
            brokenBridges: [],
            reservedHosts: ["localhost"],
            // The keys are no part of what schemas judge.
            secretsDirectory: nil,
            settings: SettingsReader(patterns: patterns)
        )
        let bytes = try File.read("\(Self.directory)/\(name)")
        _ = JSONReader.root(of: bytes, file: name, problems: collector).flatMap { reader.read($0, name: "case") }
        return collector.problems
    }

    @Test("Good files have no error", arguments: names("good"))
    func good(name: String) throws {
        #expect(try problems(name).filter { $0.severity == .error } == [])
    }

    @Test("Bad files have one error, told once", arguments: names("bad-schema") + names("bad-semantics"))
    func bad(name: String) throws {
        #expect(try problems(name).filter { $0.severity == .error }.count == 1)
    }

    @Test("There are cases of each kind")
    func cases() {
        #expect(
            Self.names("good").count >= 8 && Self.names("bad-schema").count >= 40
                && Self.names("bad-semantics").count >= 10
        )
    }

    @Test("A schema is the same in every process, and valid JSON that ends in a line feed")
    func stability() throws {
        let descriptor = try #require(Samples.descriptor(Fixture.descriptor, name: "parley").value)
        let first = Schemas.files([descriptor])
        let second = Schemas.files([descriptor])
        #expect(first.map(\.name) == ["bridge.schema.json", "tenant.schema.json"])
        #expect(first.map(\.text) == second.map(\.text))
        for file in first {
            #expect(file.text.utf8.last == UInt8(ascii: "\n"))
            let root = try JSONReader.read(Array(file.text.utf8)).root
            #expect(root.member("$schema")?.value == "https://json-schema.org/draft/2020-12/schema")
        }
    }

    @Test("A tenant's schema has each setting with its rules")
    func settings() throws {
        let descriptor = try #require(Samples.descriptor(Fixture.descriptor, name: "parley").value)
        let text = try #require(Schemas.files([descriptor]).last).text
        let root = try JSONReader.read(Array(text.utf8)).root
        let entry = root.member("properties")?.member("bridges")?.member("properties")?.member("parley")
        let settings = entry?.member("properties")?.member("settings")
        #expect(entry?.member("required")?.value == ["settings"])
        #expect(entry?.member("properties")?.member("identity") == nil)
        #expect(settings?.member("required")?.value == ["room"])
        #expect(settings?.member("additionalProperties")?.value == false)
        let properties = settings?.member("properties")
        #expect(properties?.member("size")?.value == ["type": "integer", "minimum": 1, "maximum": 64])
        #expect(
            properties?.member("room")?.value == [
                "type": "string", "pattern": "^[a-z]{1,8}$", "description": "The room's short name.",
            ]
        )
        #expect(
            properties?.member("zone")?.value
                == [
                    "type": "string", "pattern": "^[a-z]+$", "default": "north",
                    "examples": ["north", "south", "east"],
                ]
        )
        #expect(properties?.member("tint")?.value == ["$ref": "#/$defs/color"])
        #expect(properties?.member("sound")?.value == ["type": "boolean", "default": true])
    }
}
