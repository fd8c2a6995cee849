internal import Synchronization
internal import System

/// Carries violations from the workers to the main thread and wakes it; what does not fit is dropped.
final class ViolationMailbox: Sendable {
    static let capacity = 512

    let wakeup: Wakeup
    /// Held for the copy of a few references; the budget bounds how often.
    private let waiting = Mutex<[Violation]>([])

    init() throws(SystemError) {
        wakeup = try Wakeup()
    }

    func post(_ violations: [Violation]) {
        let isFirst = waiting.withLock { waiting in
            let wasEmpty = waiting.isEmpty
            waiting += violations.prefix(Self.capacity - waiting.count)
            return wasEmpty && !waiting.isEmpty
        }
        if isFirst { wakeup.wake() }
    }

    func take() -> [Violation] {
        wakeup.clear()
        return waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
