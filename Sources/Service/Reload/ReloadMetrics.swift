/// What became of the files, so that a monitor can tell a change that is not served.
struct ReloadMetrics: MetricsSource {
    let status: ReloadStatus

    func write(into writer: inout MetricsWriter) {
        let facts = status.current
        let kept = facts.summary.kept.count
        writer.add(
            "bridgehost_tenants",
            .gauge,
            "Tenants that are served as their files say, as they were before, or not at all.",
            label: "state",
            [
                (value: "served", count: facts.tenants - kept), (value: "kept", count: kept),
                (value: "left_out", count: facts.summary.leftOut.count),
            ]
        )
        writer.add(
            "bridgehost_config_problems",
            .gauge,
            "Problems that were found when files were last read.",
            label: "severity",
            [(value: "error", count: facts.errors), (value: "warning", count: facts.warnings)]
        )
        writer.add(
            "bridgehost_reloads_total",
            .counter,
            "Times that files were read again, by what came of it.",
            label: "outcome",
            ReloadStatus.Outcome.allCases.map { (value: $0.rawValue, count: facts.counts[$0] ?? 0) }
        )
        writer.add(
            "bridgehost_reload_last_success_timestamp_seconds",
            .gauge,
            "When files were last read and are served since, in seconds since 1970.",
            facts.lastSuccess
        )
        writer.add(
            "bridgehost_restart_needed",
            .gauge,
            "How many keys of server.json were changed and wait for a restart.",
            facts.keysForRestart.count
        )
    }
}
