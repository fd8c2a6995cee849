internal import Glibc

/// A folder whose files are opened by name alone, whatever its own path leads to meanwhile.
public struct Directory: ~Copyable, Sendable {
    private let descriptor: Descriptor
    private let path: String

    /// Opens a folder; links on the way to it are followed, since its path is the operator's.
    public init(_ path: String) throws(SystemError) {
        let number = retryingOnInterrupt { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { throw .last("open", subject: path) }
        descriptor = Descriptor(owning: number)
        self.path = path
    }

    /// The bytes of a regular file that stands in the folder itself.
    ///
    /// The name is one path segment, which the caller has made sure of; a link is not followed, and nothing that is no
    /// regular file is waited for.
    ///
    /// - Throws: ``SystemError``, with `ELOOP` for a link, `EINVAL` for what is no regular file and `EFBIG` for more than
    ///   `limit` bytes.
    public func read(_ name: String, limit: Int) throws(SystemError) -> [UInt8] {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        let number = retryingOnInterrupt { openat(descriptor.number, name, flags) }
        guard number >= 0 else { throw .last("openat", subject: path) }
        let file = Descriptor(owning: number)
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw .last("fstat", subject: path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(call: "openat", code: EINVAL, subject: path)
        }
        guard status.st_size <= limit else { throw SystemError(call: "read", code: EFBIG, subject: path) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = retryingOnInterrupt { Glibc.read(file.number, &bytes, limit) }
        guard count >= 0 else { throw .last("read", subject: path) }
        return Array(bytes[..<count])
    }
}
