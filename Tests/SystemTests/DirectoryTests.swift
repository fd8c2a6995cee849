import Glibc
import Testing

@testable import System

@Suite("A folder, asked for a file by name")
struct DirectoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ name: String, limit: Int = 10) throws(SystemError) -> [UInt8] {
        try Directory(folder.path).read(name, limit: limit)
    }

    @Test("reads a regular file up to its limit, and no longer one")
    func limits() throws {
        try File.write([1, 2, 3], to: folder.path + "/a")
        #expect(try read("a") == [1, 2, 3])
        #expect(try read("a", limit: 3) == [1, 2, 3])
        #expect(throws: SystemError(call: "read", code: EFBIG, subject: folder.path)) { try read("a", limit: 2) }
        try File.write([], to: folder.path + "/empty")
        #expect(try read("empty") == [])
    }

    @Test("follows no link, and opens nothing that is no regular file without waiting for it")
    func opensFilesAlone() throws {
        try File.write([1], to: folder.path + "/a")
        symlink("a", folder.path + "/link")
        mkfifo(folder.path + "/pipe", 0o600)
        #expect(throws: SystemError(call: "openat", code: ELOOP, subject: folder.path)) { try read("link") }
        #expect(throws: SystemError(call: "openat", code: EINVAL, subject: folder.path)) { try read("pipe") }
        #expect(throws: SystemError(call: "openat", code: EINVAL, subject: folder.path)) { try read(".") }
        #expect(throws: SystemError(call: "openat", code: ENOENT, subject: folder.path)) { try read("b") }
    }

    @Test("that is none is an error with its path")
    func isFolder() throws {
        try File.write([1], to: folder.path + "/a")
        let file = folder.path + "/a"
        #expect(throws: SystemError(call: "open", code: ENOTDIR, subject: file)) { _ = try Directory(file) }
    }
}
