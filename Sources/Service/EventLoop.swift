internal import System

/// Descriptors and times that one thread waits for, each with what is done then.
struct EventLoop<End>: ~Copyable {
    /// Does what is due; how all ends, or nil to go on.
    typealias Handler = () -> End?

    private let poller: Poller
    private var handlers: [Handler] = []
    private var timers: [(due: () -> Int?, handler: Handler)] = []

    init() throws(SystemError) {
        poller = try Poller(capacity: 16)
    }

    /// Calls the handler whenever the descriptor can be read; its owner outlives the loop.
    mutating func when(_ descriptor: borrowing Descriptor, _ handler: @escaping Handler) throws(SystemError) {
        try poller.add(descriptor, for: .read, token: UInt64(handlers.count))
        handlers.append(handler)
    }

    /// Calls the handler when its time has come, in milliseconds of the monotonic clock; nil is never.
    ///
    /// `due` is asked before each wait, so the handler has to move it.
    mutating func at(_ due: @escaping () -> Int?, _ handler: @escaping Handler) {
        timers.append((due, handler))
    }

    /// Waits and calls until a handler says how it ends.
    func run(onFailure: (SystemError) -> Void) -> End {
        while true {
            let now = Clock.monotonicMilliseconds
            for timer in timers where timer.due().map({ $0 <= now }) ?? false {
                if let end = timer.handler() { return end }
            }
            let timeout = timers.compactMap { $0.due() }.min().map { max(0, $0 - Clock.monotonicMilliseconds) }
            let count = poller.waitOrRest(timeout: timeout, onFailure: onFailure)
            for index in 0..<(count ?? 0) {
                if let end = handlers[Int(poller.event(index).token)]() { return end }
            }
        }
    }
}
