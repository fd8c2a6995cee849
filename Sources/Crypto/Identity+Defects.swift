extension Identity {
    /// What clients would refuse it for; `at` is the certificate's place in the file, the leaf's is 0.
    public enum Defect: Hashable, Sendable {
        /// The key is not the leaf's.
        case keyMismatch
        /// The key is too short.
        case weakKey(PrivateKey.Kind)
        /// The key is of a kind or on a curve that phones don't know.
        case uncommonKey
        /// It is signed over SHA-1 or MD5.
        case weakSignature(at: Int)
        /// The leaf may issue others.
        case authority
        /// The leaf is not self-signed, and nothing leads from it to a root: Android does not fetch what is missing.
        case leafOnly
        /// It did not issue the one before it.
        case wrongOrder(at: Int)
        /// Who verifies the chain stops there.
        case refused(Refusal, at: Int)
        /// It holds only later.
        case notYetValid(at: Int)
        /// It holds no more, since so many days.
        case expired(days: Int, at: Int)
        /// It expires in so many days.
        case expiresSoon(days: Int, at: Int)
        /// The leaf holds for so many days in all, more than iOS accepts.
        case holdsTooLong(days: Int)
        /// The leaf names no host; the common name counts nowhere any more.
        case noNames
        /// The leaf has a name with `*` that stands for no host.
        case vainWildcard(String)
        /// The leaf is not for servers.
        case notForServers
        /// The leaf's key may not sign, and without a signature there is no handshake here.
        case mayNotSign
        /// The leaf demands an answer of its authority with each handshake, and none is sent here (RFC 7633).
        case mustStaple

        /// Whether no client could connect.
        public var isFatal: Bool {
            switch self {
            case .keyMismatch, .weakKey, .weakSignature: true
            default: false
            }
        }
    }

    /// The days before the end that are called soon.
    public static let soonDays = 21

    /// All defects at a time, in seconds since 1970.
    public func defects(now: Int) -> [Defect] {
        defectsOfKey() + defectsOfChain() + defectsOfTime(now: now) + defectsOfPurpose()
    }

    /// Those that come and go as time passes, in seconds since 1970.
    public func defectsOfTime(now: Int) -> [Defect] {
        chain.enumerated().compactMap { index, certificate in
            if now < certificate.notBefore { return .notYetValid(at: index) }
            let left = certificate.notAfter - now
            if left <= 0 { return .expired(days: -left / Self.day, at: index) }
            return left / Self.day < Self.soonDays ? .expiresSoon(days: left / Self.day, at: index) : nil
        }
    }

    private static let day = 86_400

    private func defectsOfKey() -> [Defect] {
        guard leaf.matches(key) else { return [.keyMismatch] }
        if key.isWeak { return [.weakKey(key.kind)] }
        return key.isCommon ? [] : [.uncommonKey]
    }

    private func defectsOfChain() -> [Defect] {
        let chain = self.chain
        // A root is believed for what it is; nobody looks at how it signed itself.
        var defects = chain.indices.filter { !chain[$0].isSelfSigned && chain[$0].hasWeakSignature }
            .map { Defect.weakSignature(at: $0) }
        if intermediates.isEmpty, !leaf.isSelfSigned { defects.append(.leafOnly) }
        let breaks = (1..<max(1, chain.count)).compactMap { index -> (place: Int, defect: Defect)? in
            guard chain[index].issued(chain[index - 1]) else { return (index, .wrongOrder(at: index)) }
            return chain[index].mayIssue ? nil : (index, .refused(.mayNotIssue, at: index))
        }
        let linked = chain.prefix(breaks.first?.place ?? chain.count)
        return defects + breaks.map(\.defect) + ChainVerification.refusals(of: Array(linked))
    }

    private func defectsOfPurpose() -> [Defect] {
        var defects: [Defect] = []
        let days = (leaf.notAfter - leaf.notBefore) / Self.day
        if days > CertificateMaker.maximumDays { defects.append(.holdsTooLong(days: days)) }
        if leaf.dnsNames.isEmpty, leaf.addresses.isEmpty { defects.append(.noNames) }
        defects += leaf.dnsNames.filter { $0.contains("*") && !Certificate.isWildcard($0.utf8) }.map {
            .vainWildcard($0)
        }
        if !leaf.isForServers { defects.append(.notForServers) }
        if !leaf.maySign { defects.append(.mayNotSign) }
        if leaf.demandsStapling { defects.append(.mustStaple) }
        if leaf.isAuthority { defects.append(.authority) }
        return defects
    }
}
