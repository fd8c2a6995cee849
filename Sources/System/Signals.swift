internal import CLinux
internal import Glibc

/// The signals that the process acts on, read as values by one thread (signalfd).
public struct Signals: ~Copyable, Sendable {
    /// A signal that means something to a server.
    public enum Signal: CInt, CaseIterable, Sendable {
        /// Stop gracefully, from a service manager.
        case terminate = 15
        /// Stop gracefully, from a terminal.
        case interrupt = 2
        /// Read the configuration again.
        case hangUp = 1
        /// Open log files again, from whoever has renamed them.
        case user1 = 10
    }

    /// For a poller.
    public let descriptor: Descriptor

    /// Blocks the signals in this thread and in all that it makes later, and ignores SIGPIPE.
    public init() throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in Signal.allCases { sigaddset(&set, signal.rawValue) }
        let blocked = pthread_sigmask(SIG_BLOCK, &set, nil)
        guard blocked == 0 else { throw SystemError(call: "pthread_sigmask", code: blocked) }
        signal(SIGPIPE, SIG_IGN)
        let number = signalfd(-1, &set, CInt(SFD_CLOEXEC))
        guard number >= 0 else { throw .last("signalfd") }
        descriptor = Descriptor(owning: number)
    }

    /// Whether a signal to stop, which is blocked, has come and was not taken yet.
    public static var hasStop: Bool {
        var set = sigset_t()
        guard sigpending(&set) == 0 else { return false }
        return [Signal.terminate, .interrupt].contains { sigismember(&set, $0.rawValue) == 1 }
    }

    /// Waits for the next signal; blocking.
    public func next() throws(SystemError) -> Signal {
        while true {
            var information = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            let count = retryingOnInterrupt { read(descriptor.number, &information, size) }
            guard count == size else { throw .last("read", subject: "signalfd") }
            if let signal = Signal(rawValue: CInt(information.ssi_signo)) { return signal }
        }
    }
}
