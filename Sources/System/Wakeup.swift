internal import CLinux
internal import Glibc

/// Wakes a thread that waits in a ``Poller`` (eventfd); any thread may call.
public struct Wakeup: ~Copyable, Sendable {
    /// For the poller.
    public let descriptor: Descriptor

    /// A new one.
    public init() throws(SystemError) {
        let number = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard number >= 0 else { throw .last("eventfd") }
        descriptor = Descriptor(owning: number)
    }

    /// Wakes the waiter, now or at its next wait.
    public func wake() {
        var one: UInt64 = 1
        _ = retryingOnInterrupt { write(descriptor.number, &one, 8) }
    }

    /// Takes all wake-ups that came so far.
    public func clear() {
        var count: UInt64 = 0
        _ = retryingOnInterrupt { read(descriptor.number, &count, 8) }
    }
}
