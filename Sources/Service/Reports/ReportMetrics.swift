/// The violations of pages' policies, of those that count and of those that are only tried, and what was not read.
struct ReportMetrics: MetricsSource {
    let reports: ReportCollector

    func write(into writer: inout MetricsWriter) {
        let counted = reports.counts.snapshot
        let families = [
            ("bridgehost_policy_violations_total", "Violations of pages' policies that were reported.", false),
            ("bridgehost_tried_policy_violations_total", "The same of policies that are only tried.", true),
        ]
        for (name, help, isTrial) in families {
            writer.add(
                name,
                .counter,
                help,
                labels: ["tenant", "bridge", "directive"],
                counted.filter { $0.key.isTrial == isTrial }.map { key, count in
                    (values: [key.tenant, key.bridge, key.directive.rawValue], count: count)
                }
            )
        }
        writer.add(
            "bridgehost_reports_total",
            .counter,
            "Contents that were posted as reports, by what became of them.",
            label: "outcome",
            ReportOutcomes.Outcome.allCases.map { (value: $0.label, count: reports.outcomes[$0]) }
        )
        writer.add(
            "bridgehost_policy_violations_dropped_total",
            .counter,
            "Violations that were read and not counted, since too many came at once.",
            reports.mailbox.dropped
        )
    }
}
