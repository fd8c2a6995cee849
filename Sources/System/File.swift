internal import Glibc

/// Reading of whole files and folders; blocking, for the loading thread.
public enum File {
    /// The largest file that ``read(_:limit:)`` takes unless told otherwise, in bytes.
    public static let defaultLimit = 4 << 20

    /// What is in a file, and whether that is everybody's to read.
    public struct Contents: Sendable {
        /// The bytes.
        public let bytes: [UInt8]
        /// Whether its mode lets every user of the machine read it.
        public let isWorldReadable: Bool
        /// Which version it was before the first byte was read.
        public let stamp: FileStamp
    }

    /// The bytes of a regular file.
    ///
    /// - Throws: ``SystemError``, with `EFBIG` for more than `limit` bytes and `EINVAL` for what is no regular file.
    public static func read(_ path: String, limit: Int = defaultLimit) throws(SystemError) -> [UInt8] {
        try contents(of: path, limit: limit).bytes
    }

    /// The same, with what the file's mode says of it.
    public static func contents(of path: String, limit: Int = defaultLimit) throws(SystemError) -> Contents {
        let number = retryingOnInterrupt { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard number >= 0 else { throw .last("open", subject: path) }
        let descriptor = Descriptor(owning: number)
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw .last("fstat", subject: path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(call: "open", code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL, subject: path)
        }
        var bytes: [UInt8] = []
        // One byte more than the size shows the end without a second call.
        var chunk = [UInt8](repeating: 0, count: min(Int(status.st_size), limit) + 1)
        while true {
            let count = retryingOnInterrupt { Glibc.read(descriptor.number, &chunk, chunk.count) }
            guard count >= 0 else { throw .last("read", subject: path) }
            if count == 0 {
                let isWorldReadable = status.st_mode & S_IROTH != 0
                return Contents(bytes: bytes, isWorldReadable: isWorldReadable, stamp: FileStamp(status))
            }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else { throw SystemError(call: "read", code: EFBIG, subject: path) }
        }
    }

    /// The names in a folder, without `.` and `..`, sorted by bytes.
    public static func names(in path: String) throws(SystemError) -> [String] {
        guard let folder = opendir(path) else { throw .last("opendir", subject: path) }
        defer { closedir(folder) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .last("readdir", subject: path) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The absolute path that a path leads to, with all links followed.
    public static func realPath(_ path: String) throws(SystemError) -> String {
        guard let resolved = realpath(path, nil) else { throw .last("realpath", subject: path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Whether something stands at the path, links followed.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Makes or replaces a file with that mode, whole or not at all: written beside it, then renamed over it.
    public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o644) throws(SystemError) {
        let temporary = path + ".\(getpid()).tmp"
        // What a killed process of the same number left there is nobody's.
        unlink(temporary)
        let number = retryingOnInterrupt { open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
        guard number >= 0 else { throw .last("open", subject: temporary) }
        do throws(SystemError) {
            let descriptor = Descriptor(owning: number)
            try writeAll(bytes, to: descriptor, path: path)
            guard fsync(descriptor.number) == 0 else { throw SystemError.last("fsync", subject: path) }
            guard rename(temporary, path) == 0 else { throw SystemError.last("rename", subject: path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Makes a folder and those above it; one that exists is fine.
    public static func makeDirectory(_ path: String, mode: UInt32 = 0o755) throws(SystemError) {
        if mkdir(path, mode) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw .last("mkdir", subject: path)
        }
        try makeDirectory(String(path[..<slash]), mode: mode)
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .last("mkdir", subject: path) }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: borrowing Descriptor, path: String)
        throws(SystemError)
    {
        var offset = 0
        while offset < bytes.count {
            let number = descriptor.number
            let count = bytes.withUnsafeBytes { buffer in
                retryingOnInterrupt {
                    Glibc.write(number, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
                }
            }
            guard count >= 0 else { throw .last("write", subject: path) }
            offset += count
        }
    }
}
