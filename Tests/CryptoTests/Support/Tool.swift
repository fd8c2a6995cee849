import Crypto
import Foundation
import Testing

/// Debian's own `openssl`, so that what we make is judged by someone else.
struct Tool {
    let directory: URL

    /// Runs `body` with a folder that is gone afterwards.
    static func use(_ body: (Tool) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(Tool(directory: directory))
    }

    func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: directory.appendingPathComponent(name))
    }

    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: directory.appendingPathComponent(name)))
    }

    /// The tool's exit status and all that it printed.
    @discardableResult
    func openssl(_ arguments: String) throws -> (status: Int32, text: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = directory
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// A self-signed certificate of the tool's own.
    func makeIdentity(_ key: String, _ names: String, days: Int = 90) throws -> (chain: [UInt8], key: [UInt8]) {
        // Debian's own file would make each an authority.
        try write(Array("[req]\ndistinguished_name = none\n[none]\n".utf8), "req.cnf")
        let made = try openssl(
            "req -x509 -config req.cnf -days \(days) -newkey \(key) -nodes -keyout key.pem -out cert.pem -subj /CN=test -addext subjectAltName=\(names)"
        )
        #expect(made.status == 0, "\(made.text)")
        return (try read("cert.pem"), try read("key.pem"))
    }

    /// A certificate of another one's, with extensions as openssl's file of them has them, a line each; of a new key, or of
    /// one that is there.
    func issue(
        _ name: String,
        by issuer: String,
        days: Int,
        subject: String? = nil,
        key: String? = nil,
        _ extensions: String...
    ) throws {
        let request = key.map { "-key \($0).key" }
        let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout \(name).key"
        try write(Array(extensions.joined(separator: "\n").utf8), "\(name).ext")
        for command in [
            "req -new -config req.cnf \(request ?? newKey) -out \(name).csr -subj /CN=\(subject ?? name)",
            "x509 -req -in \(name).csr -CA \(issuer).pem -CAkey \(issuer).key -CAcreateserial -days \(days)"
                + " -extfile \(name).ext -out \(name).pem",
        ] {
            let made = try openssl(command)
            #expect(made.status == 0, "\(made.text)")
        }
    }

    /// The files of that name as what a server shows, with others behind.
    func identity(_ names: String...) throws -> Identity {
        try Identity(chain: names.flatMap { try read("\($0).pem") }, key: try read("\(names[0]).key"))
    }
}
