internal import Crypto
internal import JSON
internal import System
internal import TLS

/// Reads the certificates that the settings name.
struct CertificateLoader {
    let serverFile: String
    /// Seconds since 1970.
    let now: Int

    /// The certificates that can be served; what is wrong with any is reported.
    ///
    /// One whose files can't be used, as when one of them is only half written, stays what it was in `previous`.
    /// `goesOn` is asked after each; else there are none.
    func load(
        _ files: [Settings.CertificateFiles],
        previous: [ServedCertificate],
        _ problems: ProblemCollector,
        goesOn: () -> Bool = { true }
    ) -> [ServedCertificate] {
        let pairs = previous.compactMap { one in one.files.map { ($0, one.identity) } }
        let lastGood = Dictionary(pairs) { first, _ in first }
        var served: [ServedCertificate] = []
        for files in files {
            let before = lastGood[files]
            let identity = load(files, before, problems)
            if let shown = identity ?? before {
                served.append(ServedCertificate(identity: shown, files: files, isKept: identity == nil))
            }
            guard goesOn() else { return [] }
        }
        return served
    }

    private func load(
        _ files: Settings.CertificateFiles,
        _ before: Identity?,
        _ problems: ProblemCollector
    ) -> Identity? {
        let chain = read(files.chain, problems)
        let key = read(files.key, problems)
        guard let chain, let key else { return nil }
        guard let certificates = certificates(chain.bytes, files.chain, problems),
            let privateKey = privateKey(key.bytes, files.key, problems)
        else { return nil }
        if key.isWorldReadable { problems.report(.readableByAll(files.key)) }
        let identity = Identity(
            leaf: certificates[0],
            intermediates: Array(certificates.dropFirst()),
            key: privateKey
        )
        let isWorse = before?.makesWorse(identity, now) ?? { _ in false }
        var isFine = true
        for defect in identity.defects(now: now) {
            let isFatal = defect.isFatal || isWorse(defect)
            problems.report(.certificate(defect, files, isFatal: isFatal))
            if isFatal { isFine = false }
        }
        return isFine && canServe(identity, files, problems) ? identity : nil
    }

    /// Whether OpenSSL takes it: what it refuses must be known before a worker asks for it.
    private func canServe(
        _ identity: Identity,
        _ files: Settings.CertificateFiles,
        _ problems: ProblemCollector
    ) -> Bool {
        do throws(TLSError) {
            _ = try TLSContext(certificates: CertificateStore([identity]), ticketKeys: TicketKeys([]))
            return true
        } catch {
            problems.report(.refused(error, files))
            return false
        }
    }

    private func certificates(_ pem: [UInt8], _ file: String, _ problems: ProblemCollector) -> [Certificate]? {
        do throws(CryptoError) {
            return try Certificate.all(pem: pem)
        } catch {
            problems.report(.unusable(error, file: file, expected: "a PEM chain, the server's certificate first"))
            return nil
        }
    }

    private func privateKey(_ pem: [UInt8], _ file: String, _ problems: ProblemCollector) -> PrivateKey? {
        do throws(CryptoError) {
            return try PrivateKey(pem: pem)
        } catch {
            problems.report(.unusable(error, file: file, expected: "an unencrypted private key in PEM"))
            return nil
        }
    }

    private func read(_ path: String, _ problems: ProblemCollector) -> File.Contents? {
        do throws(SystemError) {
            return try File.contents(of: path)
        } catch {
            problems.report(.unreadable(error, advice: "\(serverFile) names it under certificates."))
            return nil
        }
    }

    /// The certificate for development: for this machine's own names, in memory alone.
    func makeSelfSigned(_ problems: ProblemCollector) -> Identity? {
        do throws(CryptoError) {
            let hosts = ["localhost", "127.0.0.1", "::1"]
            return try CertificateMaker.selfSigned(hosts: hosts, days: 30, now: now)
        } catch {
            problems.report(.unusable(error, file: serverFile, expected: "certificates"))
            return nil
        }
    }
}

extension Identity {
    /// Which defects of its files' new certificate would take from clients what this one gives them, while it is valid.
    ///
    /// A chain that ends after its first certificate is only half written, what is out of its time is no renewal, and a chain
    /// that leads nowhere is another's. The leaf is judged by the leaf, what is behind it by what clients need of the chain.
    fileprivate func makesWorse(_ next: Identity, _ now: Int) -> (Defect) -> Bool {
        let (leafHolds, holds) = (leaf.holds(at: now), holds(at: now))
        lazy var wasRefused = defects(now: now).contains(where: \.isRefusal)
        return { defect in
            switch defect {
            case .leafOnly: leafHolds && !intermediates.isEmpty
            case .expired(_, at: 0), .notYetValid(at: 0): leafHolds
            case .expired(_, at: 1), .notYetValid(at: 1): holds
            // A wrong order most clients forgive, as long as all are there.
            case .wrongOrder(at: 1): holds && hasIssuer && !next.hasIssuer
            case .refused: holds && !wasRefused
            default: false
            }
        }
    }

    /// Whether what issued the leaf stands behind it, at whatever place.
    private var hasIssuer: Bool { intermediates.contains { $0.issued(leaf) } }
}

extension Identity.Defect {
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}
