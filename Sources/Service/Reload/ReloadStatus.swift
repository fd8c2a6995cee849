internal import JSON
internal import Synchronization
internal import System

/// What became of the files, the last time and so far: told to probes and monitors by any thread, kept by the main thread.
final class ReloadStatus: Sendable {
    /// What became of a reload.
    enum Outcome: String, CaseIterable {
        /// What the files say is served.
        case applied
        /// They say what is served already.
        case unchanged
        /// They can't be served; all stays as it was.
        case refused
    }

    /// What is told.
    struct Facts {
        fileprivate(set) var tenants = 0
        fileprivate(set) var summary = LoadSummary()
        fileprivate(set) var errors = 0
        fileprivate(set) var warnings = 0
        fileprivate(set) var counts: [Outcome: Int] = [:]
        /// When the files were last served as they are, in seconds since 1970.
        fileprivate(set) var lastSuccess = 0
        fileprivate(set) var isRefused = false
        /// Keys of `server.json` that were changed and wait for a restart.
        fileprivate(set) var keysForRestart: [String] = []
    }

    private let facts = Mutex(Facts())

    /// What is known now.
    var current: Facts { facts.withLock { $0 } }

    /// Notes the load that the server was started with.
    func note(start load: ServiceLoad, now: Int) { note(load, served: load, [], isRefused: false, now) }

    /// Notes what became of a load, and what is served since.
    func note(
        _ outcome: Outcome,
        _ load: ServiceLoad,
        served: ServiceLoad,
        keysForRestart: [String],
        now: Int
    ) {
        facts.withLock { $0.counts[outcome, default: 0] += 1 }
        note(load, served: served, keysForRestart, isRefused: outcome == .refused, now)
    }

    private func note(
        _ load: ServiceLoad,
        served: ServiceLoad,
        _ keysForRestart: [String],
        isRefused: Bool,
        _ now: Int
    ) {
        facts.withLock { facts in
            facts.tenants = served.tenantCount
            facts.summary = served.summary
            facts.errors = load.problems.count { $0.severity == .error }
            facts.warnings = load.problems.count - facts.errors
            facts.isRefused = isRefused
            facts.keysForRestart = keysForRestart
            if !isRefused { facts.lastSuccess = now }
        }
    }
}

extension ReloadStatus {
    /// What a probe is told: the state, and in words what is not as it should be.
    func readiness(_ state: Readiness.State) -> JSONValue {
        let facts = current
        return switch state {
        case .starting: ["status": "starting", "reasons": ["the files are not served yet"]]
        case .draining: ["status": "draining", "reasons": ["a stop was asked for"]]
        case .ready:
            [
                "status": "ready",
                "tenants": .integer(facts.tenants),
                "leftOut": .array(facts.summary.leftOut.map(JSONValue.string)),
                "kept": .array(facts.summary.kept.map(JSONValue.string)),
                "warnings": .array(facts.warningTexts.map(JSONValue.string)),
            ]
        }
    }
}

extension ReloadStatus.Facts {
    /// So many hosts are told by name.
    private static let namedHosts = 10

    fileprivate var warningTexts: [String] {
        let refusal = isRefused ? ["the last reload was refused: everything is served as before"] : []
        let restart =
            keysForRestart.isEmpty ? [] : ["a restart is needed for \(keysForRestart.joined(separator: ", "))"]
        let more = summary.uncoveredHosts.count - Self.namedHosts
        let uncovered =
            summary.uncoveredHosts.prefix(Self.namedHosts).map { "no certificate covers \($0)" }
            + (more > 0 ? ["no certificate covers \(more) other hosts"] : [])
        let names = summary.leftOut + summary.kept + summary.keptCertificates
        let others = errors > 0 && names.isEmpty && !isRefused ? ["the files have errors, which the log has"] : []
        return refusal + others + restart
            + summary.leftOut.map { "tenant \($0) is not served: its file has errors" }
            + summary.kept.map { "tenant \($0) is served as it was: its file has errors" }
            + uncovered
            + summary.keptCertificates.map { "certificate \($0) is shown as it was: its files have errors" }
    }
}
