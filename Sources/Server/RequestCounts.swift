internal import Synchronization

/// Answers by label and class of status, and their bytes; one thread counts, any may read.
///
/// Labels are small numbers from a closed set that only grows; memory comes in blocks, which stay where they are.
public final class RequestCounts: @unchecked Sendable {
    /// The counts of one label.
    public struct Row: Sendable, Equatable {
        /// By the first digit of the status, from 1 to 5.
        public var classes = [0, 0, 0, 0, 0]
        /// Bytes of the answers.
        public var bytes = 0

        /// Nothing.
        public init() {}

        /// Adds the counts of another row.
        public mutating func add(_ other: Row) {
            for index in classes.indices { classes[index] += other.classes[index] }
            bytes += other.bytes
        }
    }

    /// One label's counts lie in one line of the cache.
    private static let columns = 8
    private static let bytesColumn = 6
    private static let labelsPerBlock = 256

    private typealias Block = UnsafeMutablePointer<Atomic<Int>>

    // The counting thread's own list; others read the one behind the lock. Blocks are freed with both.
    @exclusivity(unchecked) private var own: [Block] = []
    private let shared = Mutex<[Int]>([])

    init() {
        reserve(1)
    }

    deinit {
        for block in own {
            block.deinitialize(count: Self.labelsPerBlock * Self.columns)
            block.deallocate()
        }
    }

    /// Makes room for labels below a number; the counting thread alone.
    func reserve(_ labels: Int) {
        while own.count * Self.labelsPerBlock < labels {
            let block = Block.allocate(capacity: Self.labelsPerBlock * Self.columns)
            for index in 0..<(Self.labelsPerBlock * Self.columns) { (block + index).initialize(to: Atomic(0)) }
            own.append(block)
            shared.withLock { $0.append(Int(bitPattern: block)) }
        }
    }

    /// Counts an answer; the counting thread alone.
    @inline(__always)
    func count(label: Int, status: Int, bytes: Int) {
        let (index, place) = (label / Self.labelsPerBlock, label % Self.labelsPerBlock)
        // A label that nobody made room for would be a fault of ours; an answer is not lost for it.
        guard index < own.count else { return count(label: 0, status: status, bytes: bytes) }
        let row = own[index] + place * Self.columns
        row[min(status / 100, 5)].increase(by: 1)
        row[Self.bytesColumn].increase(by: bytes)
    }

    /// The counts of a label.
    public func row(_ label: Int) -> Row {
        let address = shared.withLock { blocks in
            label / Self.labelsPerBlock < blocks.count ? blocks[label / Self.labelsPerBlock] : 0
        }
        var row = Row()
        guard let block = Block(bitPattern: address) else { return row }
        let counts = block + label % Self.labelsPerBlock * Self.columns
        row.classes = (1...5).map { counts[$0].load(ordering: .relaxed) }
        row.bytes = counts[Self.bytesColumn].load(ordering: .relaxed)
        return row
    }
}

extension Atomic where Value == Int {
    /// Adds to what one thread alone changes: a plain load and a plain store, where an atomic addition would lock the bus.
    @inline(__always)
    func increase(by amount: Int) {
        store(load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }
}
