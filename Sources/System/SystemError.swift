internal import Glibc

/// A system call that failed: which one, on what, and why.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call, as its manual page is named.
    public let call: String
    /// `errno` right after the call.
    public let code: CInt
    /// What it was about, as a path or an address; empty if that is plain.
    public let subject: String

    /// A failure from its parts.
    public init(call: String, code: CInt, subject: String = "") {
        self.call = call
        self.code = code
        self.subject = subject
    }

    /// The failure that `errno` tells of now; call it before anything else can set `errno`.
    public static func last(_ call: String, subject: String = "") -> SystemError {
        SystemError(call: call, code: errno, subject: subject)
    }

    /// Whether there is nothing at the path (ENOENT).
    public var isMissing: Bool { code == ENOENT }
    /// Whether the user may watch no more folders (ENOSPC of inotify).
    public var isOutOfWatches: Bool { code == ENOSPC }
    /// Whether the process or the user has no descriptor or watcher left.
    public var isOutOfFiles: Bool { code == EMFILE || code == ENFILE }

    /// Whether what failed for that reason may go well later though nothing about its subject changes.
    public static func isTransient(_ code: CInt) -> Bool {
        [EMFILE, ENFILE, ENOMEM, EIO, ESTALE, EAGAIN, ETIMEDOUT].contains(code)
    }

    /// The reason in the system's own words.
    public var reason: String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
        return String(decoding: buffer[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// `subject: reason (call)`.
    public var description: String {
        subject.isEmpty ? "\(reason) (\(call))" : "\(subject): \(reason) (\(call))"
    }
}
