import JSON
import Server
import System
import Testing

@testable import Service

@Suite("A key that was pasted where a file's name belongs")
struct KeyMaterialTests {
    private static let hexadecimal = String(repeating: "0f1e2d3c", count: 20)
    private static let base64 =
        "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k="
    private static let slashes = "aB/cD/eF/gH/iJ/kL/mN/oP/qR/sT/uV/wX/yZ/01/23/45/67/89/+a/bC/dE/fG/hI/jK="
    private static let pem = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----\n"

    @Test("is told from a name", arguments: [hexadecimal, base64, slashes, pem, String(base64.prefix(43)) + "="])
    func isLikely(text: String) { #expect(KeyMaterial.isLikely(text)) }

    @Test(
        "is no name that people give",
        arguments: [
            "2026-12.key", "ticket-key", "/run/secrets/bridgehost/tickets/2026-12.key", "../certificates/chain.pem",
            "/etc/letsencrypt/live/chat.example/privkey.pem", "/var/run/secrets/bridgehost/tickets/current", "",
            "tls.key",
            "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0/tls.key",
            "certificates/wildcard-of-the-very-long-name-of-a-company.example.chain.pem",
        ]
    )
    func isName(text: String) { #expect(!KeyMaterial.isLikely(text)) }

    @Test(
        "is in no problem's text, whichever setting it stands in",
        arguments: [hexadecimal, base64, slashes, pem],
        ["ticketKeys=[KEY]", "ticketKeys=KEY", "certificates=[{\"chain\":\"a.pem\",\"key\":KEY}]", "certificates=KEY"]
    )
    func isNotShown(key: String, setting: String) throws {
        let folder = try TestFolder()
        folder.files.settings = [
            "secretsDirectory=\(folder.path)/secrets", setting.replacing("KEY", with: JSONValue.string(key).text),
        ]
        let load = folder.load()
        #expect(load.settings == nil)
        let text = load.problems.map { "\($0)" }.joined(separator: "\n")
        #expect(!text.contains(key.prefix(16)) && !text.contains(key.suffix(16)), "\(text)")
        #expect(text.contains(setting.prefix(10)), "\(text)")
    }

    @Test("is a name all the same if there is such a folder, and is told if the file is not there")
    func existingFolders() throws {
        let folder = try TestFolder()
        try File.makeDirectory("\(folder.path)/secrets/\(Self.hexadecimal)")
        folder.files.settings = [
            "secretsDirectory=\(folder.path)/secrets", "ticketKeys=[\"\(Self.hexadecimal)/key\"]",
        ]
        #expect(folder.load().problems.contains { "\($0)".contains("\(Self.hexadecimal)/key: error: ") })
    }

    @Test("is a name all the same if there is such a file")
    func existingFiles() throws {
        let folder = try TestFolder()
        try folder.write("secrets/\(Self.hexadecimal)", String(repeating: "k", count: 80))
        folder.files.settings = ["secretsDirectory=\(folder.path)/secrets", "ticketKeys=[\"\(Self.hexadecimal)\"]"]
        let load = folder.load()
        #expect(!load.hasErrors && load.ticketKeys != nil, "\(load.problems)")
    }
}

@Suite("The limits of connections where few files may be open")
struct FittingLimitsTests {
    @Test(
        "leave room for a second address and for those who have ended their handshake",
        arguments: [1, 2, 60, 19_999]
    )
    func fit(room: Int) {
        let limits = ConnectionLimits.Values().fitting(room)
        #expect(limits.connections == room)
        #expect(limits.connectionsPerAddress == min(4_000, max(1, room / 2)))
        #expect(limits.handshakes == min(2_000, max(1, room / 2)))
    }

    @Test("stay as they are where there is room for all")
    func stay() { #expect(ConnectionLimits.Values().fitting(20_000) == ConnectionLimits.Values()) }
}
