internal import Glibc
internal import Synchronization

/// Where a log's lines go: a pipe that nobody reads or a full disk holds its writer up no longer than it allows.
public struct LogOutput: ~Copyable, Sendable {
    /// What became of a writing.
    public struct Outcome: Sendable, Equatable {
        /// So many bytes were taken.
        public let written: Int
        /// Why the rest was not; nil if it was not taken in time.
        public let error: SystemError?
    }

    /// A pipe takes so many bytes at once without waiting, if it takes any (pipe(7), PIPE_BUF).
    public static let atomicCount = 4_096

    /// Where to, and what must be heeded there.
    struct Target {
        let number: CInt
        let name: String
        /// Whether it takes whatever it is given, at once or after a while.
        let isRegularFile: Bool
        /// Whether others have it too, so that it can't be made non-blocking.
        let isShared: Bool

        init(_ number: CInt, _ name: String, isShared: Bool) {
            var status = stat()
            self.number = number
            self.name = name
            self.isShared = isShared
            isRegularFile = fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }

    private let descriptor: Descriptor
    private let target: Target

    /// A file that is opened or made, to be written at its end.
    ///
    /// - Throws: ``SystemError``, for a pipe without a reader too.
    public init(file: String) throws(SystemError) {
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let number = retryingOnInterrupt { open(file, flags, 0o640) }
        guard number >= 0 else { throw .last("open", subject: file) }
        self.init(number, file, isShared: false)
    }

    /// A copy of a standard stream, which other writers share.
    public init(_ stream: StandardStream) throws(SystemError) {
        let number = fcntl(stream.rawValue, F_DUPFD_CLOEXEC, 3)
        guard number >= 0 else { throw .last("fcntl", subject: stream.name) }
        self.init(number, stream.name, isShared: true)
    }

    private init(_ number: CInt, _ name: String, isShared: Bool) {
        descriptor = Descriptor(owning: number)
        target = Target(number, name, isShared: isShared)
    }

    /// Writes lines from an offset on.
    ///
    /// Only whole lines are given at once, as many as are taken without waiting: nothing of another writer's comes
    /// between the parts of one, if it is not longer than ``atomicCount``.
    ///
    /// - Parameter patience: how many milliseconds it may wait.
    public func write(_ lines: [UInt8], from offset: Int = 0, patience: Int) -> Outcome {
        Self.write(lines, from: offset, to: target, patience: patience)
    }

    static func write(_ lines: [UInt8], from offset: Int, to target: Target, patience: Int) -> Outcome {
        var written = offset
        let due = Clock.monotonicMilliseconds + patience
        while written < lines.count {
            let end = target.isRegularFile ? lines.count : endOfPiece(lines, from: written)
            switch attempt(lines[written..<end], target) {
            case .bytes(let count): written += count
            case .failed(let code):
                let error = SystemError(call: "write", code: code, subject: target.name)
                return Outcome(written: written - offset, error: error)
            case .wouldBlock:
                let rest = due - Clock.monotonicMilliseconds
                guard rest > 0 else { return Outcome(written: written - offset, error: nil) }
                var waited = pollfd(fd: target.number, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waited, 1, CInt(clamping: rest))
            }
        }
        return Outcome(written: written - offset, error: nil)
    }

    private static let turn = Mutex(())

    /// Of what is shared it is asked first whether it takes something, and nobody else in this process writes in between;
    /// what is not shared waits for nobody's turn.
    private static func attempt(_ piece: ArraySlice<UInt8>, _ target: Target) -> StreamResult {
        guard target.isShared else { return write(piece, target.number) }
        return turn.withLock { _ in
            var asked = pollfd(fd: target.number, events: Int16(POLLOUT), revents: 0)
            return poll(&asked, 1, 0) > 0 ? write(piece, target.number) : .wouldBlock
        }
    }

    private static func write(_ piece: ArraySlice<UInt8>, _ number: CInt) -> StreamResult {
        StreamResult(
            piece.withUnsafeBytes { bytes in
                retryingOnInterrupt { Glibc.write(number, bytes.baseAddress, bytes.count) }
            }
        )
    }

    /// The end of the last whole line that fits, else of all that fits.
    private static func endOfPiece(_ lines: [UInt8], from start: Int) -> Int {
        let end = min(lines.count, start + atomicCount)
        return lines[start..<end].lastIndex(of: 0x0A).map { $0 + 1 } ?? end
    }
}
