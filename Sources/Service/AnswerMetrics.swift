internal import Server

/// The answers, by whom they belong to and their class of status, and how long they took.
struct AnswerMetrics: MetricsSource {
    let counters: [Counters]
    let labels: AnswerLabels
    /// What is served at each listener.
    let roles: [Role]

    func write(into writer: inout MetricsWriter) {
        let rows = labels.all.enumerated().map { number, label in (label: label, row: row(number)) }
        writer.add(
            "bridgehost_requests_total",
            .counter,
            "Requests that were answered, by whom the answer belongs to and the class of its status.",
            labels: ["tenant", "bridge", "status"],
            rows.flatMap { label, row in samples(label, row) }
        )
        writer.add(
            "bridgehost_response_bytes_total",
            .counter,
            "Bytes of answers, heads and contents, before TLS.",
            labels: ["tenant", "bridge"],
            rows.filter { $0.row.bytes > 0 }.map { (values: [$0.label.tenant, $0.label.bridge], count: $0.row.bytes) }
        )
        writeDurations(into: &writer)
        writer.add(
            "bridgehost_identities_total",
            .counter,
            "Requests for identities, by what became of them.",
            labels: ["tenant", "bridge", "outcome"],
            labels.allIdentities.filter(Self.isTold).flatMap { label, counts in
                IdentityCounts.Outcome.allCases.map { outcome in
                    (values: [label.tenant, label.bridge, outcome.rawValue], count: counts[outcome])
                }
            }
        )
    }

    /// A bridge that signs is told of from the beginning, a door that leads nowhere when somebody knocks.
    private static func isTold(_ label: AnswerLabels.Label, _ counts: IdentityCounts) -> Bool {
        label.bridge != AnswerLabels.none || IdentityCounts.Outcome.allCases.contains { counts[$0] > 0 }
    }

    /// What never was has no series; those of nobody in particular are there from the beginning.
    private func samples(_ label: AnswerLabels.Label, _ row: RequestCounts.Row) -> [(values: [String], count: Int)] {
        row.classes.enumerated().filter { $0.offset > 0 && ($0.element > 0 || label == AnswerLabels.Label()) }
            .map { (values: [label.tenant, label.bridge, "\($0.offset + 1)xx"], count: $0.element) }
    }

    private func row(_ number: Int) -> RequestCounts.Row {
        counters.reduce(into: RequestCounts.Row()) { $0.add($1.requests.row(number)) }
    }

    private func writeDurations(into writer: inout MetricsWriter) {
        let histograms = Set(roles).sorted { $0.label < $1.label }.map { role in
            var histogram = MetricsWriter.Histogram(
                label: role.label,
                bounds: Durations.bounds.map { Double($0) / 1e6 }
            )
            for counter in counters {
                for (index, own) in roles.enumerated() where own == role {
                    histogram.add(counter.durations[index].snapshot, sum: Double(counter.durations[index].sum) / 1e9)
                }
            }
            return histogram
        }
        writer.add(
            "bridgehost_request_duration_seconds",
            "From a request's first byte until its answer was handed to the kernel.",
            label: "listener",
            histograms
        )
    }
}

extension Role {
    /// The role as the value of a label; a name once given stays.
    fileprivate var label: String {
        switch self {
        case .secure: "https"
        case .plain: "http"
        case .redirect: "redirect"
        case .admin: "admin"
        }
    }
}
