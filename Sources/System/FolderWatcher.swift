internal import Glibc

/// Notices changes in folders (inotify).
///
/// What changed is not told: whoever watches looks at the files anyway, since events can be lost and come before the last
/// byte is written. A file that is written counts as changed when it is closed.
public struct FolderWatcher: ~Copyable, Sendable {
    /// What was noticed.
    public struct Changes: Sendable {
        /// Whether anything was.
        public fileprivate(set) var areThere = false
        /// Whether the kernel lost events: anything may have changed.
        public fileprivate(set) var areIncomplete = false
    }

    /// For a poller.
    public let descriptor: Descriptor
    /// The numbers of the folders that are watched.
    private var watched: Set<CInt> = []

    /// A watcher of nothing.
    ///
    /// - Throws: ``SystemError``, with `EMFILE` when the user has no instance left.
    public init() throws(SystemError) {
        let number = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
        guard number >= 0 else { throw .last("inotify_init1") }
        descriptor = Descriptor(owning: number)
    }

    /// Watches these folders and no others; one that was renamed or made anew is another one.
    ///
    /// - Returns: whether one was not watched before, and why some can't be, with `ENOSPC` when the user has no watch left.
    public mutating func watch(_ folders: Set<String>) -> (isMore: Bool, failures: [SystemError]) {
        var now: Set<CInt> = []
        var failures: [SystemError] = []
        for folder in folders.sorted() {
            let number = inotify_add_watch(descriptor.number, folder, UInt32(Self.changes))
            if number >= 0 { now.insert(number) } else { failures.append(.last("inotify_add_watch", subject: folder)) }
        }
        for number in watched.subtracting(now) { inotify_rm_watch(descriptor.number, number) }
        let isMore = !now.isSubset(of: watched)
        watched = now
        return (isMore, failures)
    }

    // Not IN_MODIFY: a file that is being written is not worth reading yet.
    private static let changes =
        IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR

    /// Takes what was noticed so far; never blocks.
    public mutating func take() -> Changes {
        var changes = Changes()
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = retryingOnInterrupt { read(descriptor.number, &buffer, buffer.count) }
            guard count > 0 else { return changes }
            buffer[..<count].withUnsafeBytes { note($0, &changes) }
        }
    }

    private mutating func note(_ events: UnsafeRawBufferPointer, _ changes: inout Changes) {
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= events.count {
            let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            offset += MemoryLayout<inotify_event>.size + Int(event.len)
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                changes.areThere = true
                changes.areIncomplete = true
            }
            // Of a folder that is no longer watched late events come.
            guard watched.contains(event.wd) else { continue }
            changes.areThere = true
            if event.mask & UInt32(IN_IGNORED) != 0 { watched.remove(event.wd) }
        }
    }
}
