internal import Synchronization
internal import System

/// What a worker is told by other threads.
enum Message: Sendable {
    /// Serve this from the next event on.
    case replace(ServerContent)
    /// Stop accepting, finish what was begun, and end by that time of the monotonic clock.
    case drain(deadline: Int)
}

/// Carries messages to a worker and wakes it.
final class Mailbox: Sendable {
    let wakeup: Wakeup
    private let messages = Mutex<[Message]>([])

    init() throws(SystemError) {
        wakeup = try Wakeup()
    }

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        wakeup.wake()
    }

    func take() -> [Message] {
        wakeup.clear()
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
