internal import Synchronization

/// How long answers took, as counts within bounds; one thread counts, any may read.
public final class Durations: Sendable {
    /// The upper bounds, in microseconds: what is longer than the last is counted all the same.
    public static let bounds = [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
        5_000_000, 10_000_000,
    ]

    private static let nanoseconds = bounds.map { $0 * 1_000 }
    private let counts = InlineArray<17, Atomic<Int>> { _ in Atomic(0) }
    private let nanoseconds = Atomic<Int>(0)

    init() {}

    @inline(__always)
    func count(_ duration: Int) {
        var index = 0
        while index < Self.nanoseconds.count, duration > Self.nanoseconds[index] { index += 1 }
        counts[index].increase(by: 1)
        nanoseconds.increase(by: duration)
    }

    /// Answers between each bound and the one below it; the last is of those above all.
    public var snapshot: [Int] { (0...Self.bounds.count).map { counts[$0].load(ordering: .relaxed) } }

    /// The sum of all, in nanoseconds.
    public var sum: Int { nanoseconds.load(ordering: .relaxed) }
}
