import Crypto
import System
import Testing

@testable import Service

@Suite("The self-signed certificate of a service that has none")
struct SelfSignedTests {
    @Test("stays through reloads, and is made anew once it has expired")
    func isMadeAnew() throws {
        let folder = try TestFolder()
        let first = folder.load()
        let made = try #require(first.selfSigned?.leaf.fingerprint)
        #expect(folder.load(previous: first).selfSigned?.leaf.fingerprint == made)
        let past = Clock.wallSeconds - 3 * 86_400
        let expired = ServiceLoad(
            settings: first.settings,
            catalog: first.catalog,
            certificates: first.certificates,
            ticketKeys: nil,
            servedCertificates: [
                ServedCertificate(
                    identity: try CertificateMaker.selfSigned(hosts: ["localhost"], days: 1, now: past),
                    files: nil
                )
            ],
            summary: first.summary,
            problems: []
        )
        let next = try #require(folder.load(previous: expired).selfSigned?.leaf)
        #expect(next.notAfter > Clock.wallSeconds)
        #expect(next.fingerprint != expired.selfSigned?.leaf.fingerprint)
    }
}
