internal import Synchronization
public import System

/// What all workers tell of their answers, for one thread that reads it.
public final class Journal: Sendable {
    /// By worker.
    public let rings: [RecordRing]
    /// Whether the query is told with the path.
    let tellsQuery: Bool
    private let wakeup: SharedWakeup
    private let isAsleep = Atomic<Bool>(false)

    init(workers: Int, tellsQuery: Bool) throws(SystemError) {
        rings = (0..<workers).map { _ in RecordRing() }
        self.tellsQuery = tellsQuery
        wakeup = try SharedWakeup()
    }

    /// For the reader's poller.
    public var descriptor: Descriptor {
        _read { yield wakeup.wakeup.descriptor }
    }

    /// Records that did not fit.
    public var dropped: Int { rings.reduce(0) { $0 + $1.dropped } }

    /// Says that the reader is about to wait; false if there is something to read, so that it must not.
    public func fallAsleep() -> Bool {
        wakeup.wakeup.clear()
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        guard rings.allSatisfy(\.isEmpty) else {
            isAsleep.store(false, ordering: .relaxed)
            return false
        }
        return true
    }

    /// Wakes the reader if it waits; any thread.
    public func wake() {
        if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { wakeup.wakeup.wake() }
    }
}
