internal import CLinux
internal import Glibc

/// Waits for many descriptors at once (epoll, level-triggered).
public struct Poller: ~Copyable {
    /// What a descriptor is waited for.
    public struct Interest: OptionSet, Sendable {
        /// The bits of epoll(7).
        public let rawValue: UInt32
        /// Bits of epoll(7).
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Bytes, a connection or the end can be read.
        public static let read = Interest(rawValue: EPOLLIN.rawValue)
        /// Bytes can be written.
        public static let write = Interest(rawValue: EPOLLOUT.rawValue)
    }

    /// Something that happened: whose token, and what.
    public struct Event: Sendable {
        /// The token that the descriptor was added with.
        public let token: UInt64
        /// Reading will not block: bytes, the end or an error are there.
        public let isReadable: Bool
        /// Writing will not block.
        public let isWritable: Bool
    }

    private let descriptor: Descriptor
    private let events: UnsafeMutableBufferPointer<epoll_event>

    /// A poller that reports at most `capacity` events at once.
    public init(capacity: Int = 256) throws(SystemError) {
        let number = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard number >= 0 else { throw .last("epoll_create1") }
        descriptor = Descriptor(owning: number)
        events = .allocate(capacity: capacity)
        events.initialize(repeating: epoll_event())
    }

    deinit { events.deallocate() }

    /// Starts waiting for a descriptor.
    public func add(_ target: borrowing Descriptor, for interest: Interest, token: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_ADD, target, interest, token)
    }

    /// Changes what a descriptor is waited for.
    public func change(_ target: borrowing Descriptor, to interest: Interest, token: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_MOD, target, interest, token)
    }

    /// Stops waiting for a descriptor; closing it does the same.
    public func remove(_ target: borrowing Descriptor) throws(SystemError) {
        try control(EPOLL_CTL_DEL, target, [], 0)
    }

    private func control(
        _ operation: CInt,
        _ target: borrowing Descriptor,
        _ interest: Interest,
        _ token: UInt64
    ) throws(SystemError) {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token))
        guard epoll_ctl(descriptor.number, operation, target.number, &event) == 0 else { throw .last("epoll_ctl") }
    }

    /// Waits for events.
    ///
    /// - Parameter timeout: milliseconds; nil waits without end.
    /// - Returns: how many ``event(_:)`` there are; 0 after the time, nil after an interrupting signal, which tells nothing
    ///   of whether there are any.
    public func wait(timeout: Int?) throws(SystemError) -> Int? {
        let milliseconds = CInt(clamping: timeout ?? -1)
        let count = bh_epoll_wait(descriptor.number, events.baseAddress, CInt(events.count), milliseconds)
        guard count < 0 else { return Int(count) }
        guard errno == EINTR else { throw .last("epoll_wait") }
        return nil
    }

    /// Waits for events as ``wait(timeout:)`` does; a failure is reported, and after a rest it is nil.
    ///
    /// Whoever serves must ask again: ending for a failed wait would end all connections, asking at once could spin.
    public func waitOrRest(timeout: Int?, onFailure: (SystemError) -> Void) -> Int? {
        do throws(SystemError) {
            return try wait(timeout: timeout)
        } catch {
            onFailure(error)
            Thread.rest(milliseconds: Self.rest)
            return nil
        }
    }

    private static let rest = 10

    /// The event of that index, until the next wait.
    public func event(_ index: Int) -> Event {
        let event = events[index]
        let broken = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        return Event(
            token: event.data.u64,
            isReadable: broken || event.events & EPOLLIN.rawValue != 0,
            isWritable: event.events & EPOLLOUT.rawValue != 0
        )
    }
}
