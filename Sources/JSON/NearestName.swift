/// Finds the name that a person probably meant.
public enum NearestName {
    /// The candidate that differs least from `name`, if at most a third of it differs; ties go to the first in order.
    public static func of(_ name: String, among candidates: some Collection<String>) -> String? {
        let bytes = Array(name.utf8.map(asciiLowercased).prefix(64))
        let limit = max(1, bytes.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in candidates.sorted() {
            let distance = distance(bytes, Array(candidate.utf8.map(asciiLowercased).prefix(64)))
            guard distance <= limit, distance < best?.distance ?? .max else { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    private static func asciiLowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    /// Damerau–Levenshtein distance of adjacent transpositions (optimal string alignment).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            row.reserveCapacity(right.count + 1)
            for j in right.indices {
                var cost = min(row[j] + 1, previous[j + 1] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, beforePrevious[j - 1] + 1)
                }
                row.append(cost)
            }
            beforePrevious = previous
            previous = row
        }
        return previous[right.count]
    }
}
