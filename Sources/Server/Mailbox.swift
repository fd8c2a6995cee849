internal import Synchronization
internal import System
internal import TLS

/// What a worker is told by other threads.
enum Message: Sendable {
    /// Serve this from the next event on.
    case replace(ServerContent)
    /// Seal and open tickets by these from the next event on.
    case ticketKeys(TicketKeys)
    /// Serve, and end each connection with its next answer: others will be asked from then on.
    case partWithClients
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
