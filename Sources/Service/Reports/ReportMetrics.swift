/// The violations of pages' policies, of those that count and of those that are only tried.
struct ReportMetrics: MetricsSource {
    let counts: ViolationCounts

    func write(into writer: inout MetricsWriter) {
        let counted = counts.snapshot
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
    }
}
