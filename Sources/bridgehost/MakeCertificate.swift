internal import Crypto
internal import System

/// `certificate`.
enum MakeCertificate {
    private static let authorityDays = 3_650
    private static let leafDays = 397

    static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
        var arguments = arguments
        let directory = try arguments.value("--out")
        let hosts = try arguments.values("--host")
        let days = try days(arguments.value("--days"))
        _ = try arguments.finish()
        guard let directory else { throw .missingOption("--out DIR") }
        guard !hosts.isEmpty else { throw .missingOption("--host NAME") }
        do {
            try make(in: directory, hosts: hosts, days: days)
            return .fine
        } catch {
            StandardStream.error.writeLine("bridgehost: \(error)")
            return .problems
        }
    }

    private static func days(_ text: String?) throws(UsageError) -> Int {
        guard let text else { return leafDays }
        guard let days = Int(text), (1...CertificateMaker.maximumDays).contains(days) else {
            throw .missingValue("--days (1 to \(CertificateMaker.maximumDays))")
        }
        return days
    }

    private static func make(in directory: String, hosts: [String], days: Int) throws {
        try File.makeDirectory(directory, mode: 0o700)
        let now = Clock.wallSeconds
        let authority = try readAuthority(directory) ?? makeAuthority(directory, now: now)
        let leaf = try CertificateMaker.leaf(hosts: hosts, authority: authority, days: days, now: now)
        try File.write(leaf.leaf.pem() + authority.leaf.pem(), to: directory + "/chain.pem")
        try File.write(leaf.key.pem(), to: directory + "/key.pem", mode: 0o600)
        let lines = [
            "CA to trust on devices: \(directory)/ca.pem",
            "  SHA-256 fingerprint \(authority.leaf.fingerprintText)",
            "certificate for \(hosts.joined(separator: ", ")), \(days) days: \(directory)/chain.pem",
            "key: \(directory)/key.pem",
        ]
        for line in lines { StandardStream.output.writeLine(line) }
    }

    /// A CA that is trusted already is used again, so that devices need to learn of it once.
    private static func readAuthority(_ directory: String) throws -> Identity? {
        guard File.exists(directory + "/ca.pem") || File.exists(directory + "/ca.key") else { return nil }
        return try Identity(chain: File.read(directory + "/ca.pem"), key: File.read(directory + "/ca.key"))
    }

    private static func makeAuthority(_ directory: String, now: Int) throws -> Identity {
        let suffix = try Random.bytes(4).hexadecimal
        let authority = try CertificateMaker.authority(
            name: "bridgehost development CA \(suffix)",
            days: authorityDays,
            now: now
        )
        try File.write(authority.key.pem(), to: directory + "/ca.key", mode: 0o600)
        try File.write(authority.leaf.pem(), to: directory + "/ca.pem")
        return authority
    }
}
