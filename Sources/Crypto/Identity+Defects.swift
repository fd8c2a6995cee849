extension Identity {
    /// What clients would refuse it for.
    public enum Defect: Hashable, Sendable {
        /// The key is not the leaf's.
        case keyMismatch
        /// The key is too short.
        case weakKey(PrivateKey.Kind)
        /// The key is of a kind or on a curve that phones don't know.
        case uncommonKey
        /// The certificate of that place in the file is signed over SHA-1 or MD5.
        case weakSignature(at: Int)
        /// The leaf may issue others.
        case authority
        /// The leaf is not self-signed, and nothing leads from it to a root: Android does not fetch what is missing.
        case leafOnly
        /// The certificate of that place in the file did not issue the one before it.
        case wrongOrder(at: Int)
        /// It holds only later.
        case notYetValid
        /// It holds no more, since so many days.
        case expired(days: Int)
        /// It expires in so many days.
        case expiresSoon(days: Int)
        /// It holds for so many days in all, more than iOS accepts.
        case holdsTooLong(days: Int)
        /// It names no host; the common name counts nowhere any more.
        case noNames
        /// It is not for servers.
        case notForServers

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
        defectsOfKey() + defectsOfChain() + defectsOfTime(now) + defectsOfPurpose()
    }

    private func defectsOfKey() -> [Defect] {
        guard leaf.matches(key) else { return [.keyMismatch] }
        if key.isWeak { return [.weakKey(key.kind)] }
        return key.isCommon ? [] : [.uncommonKey]
    }

    private func defectsOfChain() -> [Defect] {
        let chain = [leaf] + intermediates
        // A root is believed for what it is; nobody looks at how it signed itself.
        var defects = chain.indices.filter { !chain[$0].isSelfSigned && chain[$0].hasWeakSignature }
            .map { Defect.weakSignature(at: $0) }
        if intermediates.isEmpty, !leaf.isSelfSigned { defects.append(.leafOnly) }
        for index in 1..<max(1, chain.count) where !chain[index].issued(chain[index - 1]) {
            defects.append(.wrongOrder(at: index))
        }
        return defects
    }

    private func defectsOfTime(_ now: Int) -> [Defect] {
        var defects: [Defect] = []
        let day = 86_400
        let days = (leaf.notAfter - leaf.notBefore) / day
        if days > CertificateMaker.maximumDays { defects.append(.holdsTooLong(days: days)) }
        if now < leaf.notBefore { defects.append(.notYetValid) }
        let left = leaf.notAfter - now
        if left <= 0 {
            defects.append(.expired(days: -left / day))
        } else if left / day < Self.soonDays {
            defects.append(.expiresSoon(days: left / day))
        }
        return defects
    }

    private func defectsOfPurpose() -> [Defect] {
        var defects: [Defect] = []
        if leaf.dnsNames.isEmpty, leaf.addresses.isEmpty { defects.append(.noNames) }
        if !leaf.isForServers { defects.append(.notForServers) }
        if leaf.isAuthority { defects.append(.authority) }
        return defects
    }
}
