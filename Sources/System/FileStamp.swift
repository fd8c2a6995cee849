internal import Glibc

/// What tells one version of a file from another without reading it.
public struct FileStamp: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int
    /// Nanoseconds since 1970.
    private let modified: Int
    /// The same, of the contents or of what the file system says about them; no program can set it.
    private let changed: Int

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
    }

    /// File systems tell times in steps of up to this; nanoseconds.
    private static let step = 2_000_000_000

    /// Whether every change after that time, in nanoseconds since 1970, shows in the stamp.
    ///
    /// A file that was changed just before it was read can be changed again within the same step of its clock, and then has
    /// the same stamp with other contents.
    public func isSettled(at time: Int) -> Bool { max(modified, changed) <= time - Self.step }

    /// Whoever writes a file may give it any time; those that nanoseconds can't tell, before 1684 and after 2255, are one.
    private static func nanoseconds(_ time: timespec) -> Int {
        min(max(time.tv_sec, -9_000_000_000), 9_000_000_000) * 1_000_000_000 + time.tv_nsec
    }
}

extension File {
    /// The stamp of what a path leads to, links followed.
    public static func stamp(of path: String) throws(SystemError) -> FileStamp {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last("stat", subject: path) }
        return FileStamp(status)
    }
}
