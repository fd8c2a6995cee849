import Glibc
import System

@testable import Bridges

/// A folder of its own for a test, with `config/` and `public/`, gone when the test is done.
final class Workspace {
    let root: String

    init() throws {
        var template = Array("/tmp/bridges-tests-XXXXXX\0".utf8.map(CChar.init(bitPattern:)))
        let made = mkdtemp(&template) != nil
        root = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard made else { throw SystemError.last("mkdtemp", subject: root) }
        for folder in ["config/bridges", "config/tenants", "public", "secrets"] {
            try File.makeDirectory("\(root)/\(folder)")
        }
    }

    deinit { Self.remove(root) }

    /// Writes a file, named from the folder's root.
    func write(_ name: String, _ text: String) throws {
        try File.write(Array(text.utf8), to: "\(root)/\(name)")
    }

    func write(_ name: String, bytes: [UInt8]) throws {
        try File.write(bytes, to: "\(root)/\(name)")
    }

    func remove(_ name: String) { unlink("\(root)/\(name)") }

    func loader(
        publicBaseURL: String? = "https://bridges.example",
        secretsDirectory: String? = "/run/secrets",
        serviceHosts: [String] = ["bridges.example"],
        revisionSalt: String = "1",
        inspects: Bool = false
    ) -> CatalogLoader {
        CatalogLoader(
            source: CatalogSource(
                configDirectory: "\(root)/config",
                publicDirectory: "\(root)/public",
                publicBaseURL: publicBaseURL,
                secretsDirectory: secretsDirectory,
                serviceHosts: serviceHosts,
                revisionSalt: revisionSalt,
                inspects: inspects
            )
        )
    }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in (try? File.names(in: path)) ?? [] { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
