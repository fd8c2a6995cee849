internal import Synchronization
internal import System

/// Carries violations from the workers to the main thread and wakes it; what does not fit is dropped.
final class ViolationMailbox: Sendable {
    static let capacity = 512

    let wakeup: Wakeup
    private let droppedCount = Atomic<Int>(0)
    /// Held for the copy of a few references; the budget bounds how often.
    private let waiting = Mutex<[Violation]>([])

    init() throws(SystemError) {
        wakeup = try Wakeup()
    }

    func post(_ violations: [Violation]) {
        let (isFirst, dropped) = waiting.withLock { waiting in
            let wasEmpty = waiting.isEmpty
            let room = Self.capacity - waiting.count
            waiting += violations.prefix(room)
            return (wasEmpty && !waiting.isEmpty, max(0, violations.count - room))
        }
        if dropped > 0 { droppedCount.add(dropped, ordering: .relaxed) }
        if isFirst { wakeup.wake() }
    }

    /// Violations that did not fit.
    var dropped: Int { droppedCount.load(ordering: .relaxed) }

    func take() -> [Violation] {
        wakeup.clear()
        return waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
