/// Something that an operator's monitor is told of, with the rest of the process, at each request for `/metrics`.
protocol MetricsSource: Sendable {
    /// Writes its families; called on a worker's thread, so it must not block.
    func write(into writer: inout MetricsWriter)
    /// Looks up what can't be had without blocking; called on the main thread every few seconds.
    func refresh()
}

extension MetricsSource {
    func refresh() {}
}

/// Writes metrics in Prometheus' text format 0.0.4.
struct MetricsWriter {
    /// What a value means.
    enum Kind: String {
        /// It only grows; its name ends in `_total`.
        case counter
        /// It goes up and down.
        case gauge
        /// Counts of how many values lie below each of some bounds.
        case histogram
    }

    /// The field value that names the format.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// Writes a family of one sample.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        add(name, kind, help, label: nil, [(value: "", count: value)])
    }

    /// Writes a family of one sample for each value of a label; the values must come from a closed set.
    mutating func add(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        label: String?,
        _ samples: [(value: String, count: Int)]
    ) {
        let labels = label.map { [$0] } ?? []
        add(name, kind, help, labels: labels, samples.map { (values: label == nil ? [] : [$0.value], count: $0.count) })
    }

    /// Writes a family of one sample for each set of values of its labels, which are in the labels' order.
    mutating func add(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        labels: [String],
        _ samples: [(values: [String], count: Int)]
    ) {
        begin(name, kind, help)
        for sample in samples { add(name, zip(labels, sample.values).map { ($0, $1) }, "\(sample.count)") }
    }

    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(Self.escape(help))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func add(_ name: String, _ labels: [(name: String, value: String)], _ value: String) {
        text += name
        for (index, label) in labels.enumerated() {
            text += "\(index == 0 ? "{" : ",")\(label.name)=\"\(Self.escape(label.value, quote: true))\""
        }
        text += labels.isEmpty ? " \(value)\n" : "} \(value)\n"
    }

    private static func escape(_ text: String, quote: Bool = false) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quote: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
