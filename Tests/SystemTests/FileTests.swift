import Glibc
import Testing

@testable import System

/// A folder that is gone after the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/bridgehost-test-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
    }

    deinit {
        for name in (try? File.names(in: path)) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}

@Suite("A file")
struct FileTests {
    @Test("is read as it was written, with its mode")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try File.write(bytes, to: folder.path + "/a", mode: 0o600)
        #expect(try File.read(folder.path + "/a") == bytes)
        var status = stat()
        #expect(stat(folder.path + "/a", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("replaces another whole, and leaves nothing beside it")
    func replaces() throws {
        let folder = try TemporaryFolder()
        try File.write([1, 2, 3], to: folder.path + "/a")
        try File.write([4], to: folder.path + "/a")
        #expect(try File.read(folder.path + "/a") == [4])
        #expect(try File.names(in: folder.path) == ["a"])
    }

    @Test("is read up to its limit and not beyond")
    func limits() throws {
        let folder = try TemporaryFolder()
        try File.write([UInt8](repeating: 7, count: 10), to: folder.path + "/a")
        #expect(try File.read(folder.path + "/a", limit: 10).count == 10)
        #expect(throws: SystemError(call: "read", code: EFBIG, subject: folder.path + "/a")) {
            try File.read(folder.path + "/a", limit: 9)
        }
    }

    @Test("that is none is an error with its path and reason")
    func tellsWhy() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path + "/missing"
        #expect(throws: SystemError(call: "open", code: ENOENT, subject: missing)) { try File.read(missing) }
        #expect(throws: SystemError(call: "open", code: EISDIR, subject: folder.path)) { try File.read(folder.path) }
        let error = SystemError(call: "open", code: ENOENT, subject: "x")
        #expect(error.description == "x: No such file or directory (open)")
    }

    @Test("that is a pipe does not block the reader")
    func refusesPipes() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(throws: SystemError.self) { try File.read(folder.path + "/pipe") }
    }

    @Test("has its name listed by bytes, hidden ones too")
    func listsNames() throws {
        let folder = try TemporaryFolder()
        for name in ["b", "a", ".c", "Z"] { try File.write([], to: folder.path + "/" + name) }
        #expect(try File.names(in: folder.path) == [".c", "Z", "a", "b"])
    }
}
