extension MetricsWriter {
    /// Counts within bounds, of one value of a label.
    struct Histogram {
        let label: String
        /// Upper bounds, rising; what is above all counts in the last bucket.
        let bounds: [Double]
        private(set) var counts: [Int]
        private(set) var sum = 0.0

        init(label: String, bounds: [Double]) {
            self.label = label
            self.bounds = bounds
            counts = Array(repeating: 0, count: bounds.count + 1)
        }

        mutating func add(_ counts: [Int], sum: Double) {
            for (index, count) in counts.enumerated() { self.counts[index] += count }
            self.sum += sum
        }
    }

    /// Writes a family of histograms, one for each value of a label; each bucket has those below it too.
    mutating func add(_ name: String, _ help: String, label: String, _ histograms: [Histogram]) {
        begin(name, .histogram, help)
        for histogram in histograms {
            var sum = 0
            let bounds = histogram.bounds.map { "\($0)" } + ["+Inf"]
            for (bound, count) in zip(bounds, histogram.counts) {
                sum += count
                add("\(name)_bucket", [(label, histogram.label), ("le", bound)], "\(sum)")
            }
            add("\(name)_sum", [(label, histogram.label)], "\(histogram.sum)")
            add("\(name)_count", [(label, histogram.label)], "\(sum)")
        }
    }
}
