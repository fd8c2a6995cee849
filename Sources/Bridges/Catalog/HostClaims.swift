internal import JSON

/// Decides which tenants may have the hosts that their new files claim.
///
/// A host stays with the tenant that has it; of several that claim a free one, none gets it. A tenant that loses a claim is
/// used as it was before, and so may hold a host that another's new file claims: the decision is repeated until it stands.
struct HostClaims {
    /// A tenant as it would be served.
    struct Candidate {
        let name: String
        /// The hosts that it claims now, with their places; empty for one that is kept as it was.
        let claims: [TenantDraft.Host]
        /// Its hosts in the previous catalog, which it gets back when it is kept.
        let previousHosts: [String]
        var isKept: Bool

        var hosts: [String] { isKept ? previousHosts : claims.map(\.name) }
    }

    private var candidates: [Candidate]
    private(set) var problems: [Problem] = []

    init(_ candidates: [Candidate]) {
        self.candidates = candidates
    }

    /// The names of the tenants whose new files can't be used because of a host.
    mutating func rejected() -> Set<String> {
        var rejected: Set<String> = []
        while true {
            let losers = nextLosers()
            if losers.isEmpty { return rejected }
            for index in losers {
                rejected.insert(candidates[index].name)
                candidates[index].isKept = true
            }
        }
    }

    private mutating func nextLosers() -> Set<Int> {
        var claimants: [String: [Int]] = [:]
        for (index, candidate) in candidates.enumerated() {
            for host in candidate.hosts { claimants[host, default: []].append(index) }
        }
        var losers: Set<Int> = []
        for (host, indices) in claimants.sorted(by: { $0.key.precedes($1.key) }) where indices.count > 1 {
            let owner = indices.first { candidates[$0].previousHosts.contains(host) }
            for index in indices where index != owner && !candidates[index].isKept {
                losers.insert(index)
                reportLoss(of: host, by: index, to: owner ?? indices.first { $0 != index }, isOwned: owner != nil)
            }
        }
        return losers
    }

    private mutating func reportLoss(of host: String, by index: Int, to other: Int?, isOwned: Bool) {
        guard let other, let claim = candidates[index].claims.first(where: { $0.name.isSame(as: host) }) else { return }
        problems.append(.claimedHost(host, by: candidates[other].name, isOwned: isOwned, at: claim.place))
    }
}
