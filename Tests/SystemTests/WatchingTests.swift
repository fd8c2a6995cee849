import Glibc
import Testing

@testable import System

@Suite("A watched folder")
struct FolderWatcherTests {
    private func write(_ path: String) throws { try File.write([1], to: path) }

    @Test("tells that something changed in it, and nothing twice")
    func tells() throws {
        let folder = try TemporaryFolder()
        var watcher = try FolderWatcher()
        #expect(watcher.take().areThere == false)
        let (isMore, failures) = watcher.watch([folder.path])
        #expect(isMore && failures.isEmpty)
        #expect(watcher.take().areThere == false)
        try write(folder.path + "/a")
        #expect(watcher.take().areThere)
        #expect(watcher.take().areThere == false)
        unlink(folder.path + "/a")
        #expect(watcher.take().areThere)
    }

    @Test("is silent while it is read, and while a file in it is written but not closed")
    func ignoresReading() throws {
        let folder = try TemporaryFolder()
        try write(folder.path + "/a")
        var watcher = try FolderWatcher()
        _ = watcher.watch([folder.path])
        _ = try File.read(folder.path + "/a")
        _ = try File.names(in: folder.path)
        let file = Descriptor(owning: open(folder.path + "/a", O_WRONLY))
        #expect(Glibc.write(file.number, "x", 1) == 1)
        #expect(watcher.take().areThere == false)
    }

    @Test("that is watched again is no other one; one that was made anew is")
    func knowsFolders() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/own"
        try File.makeDirectory(path)
        var watcher = try FolderWatcher()
        #expect(watcher.watch([path]).isMore)
        #expect(watcher.watch([path]).isMore == false)
        rmdir(path)
        #expect(watcher.take().areThere)
        #expect(watcher.watch([path]).failures.map(\.code) == [ENOENT])
        try File.makeDirectory(path)
        #expect(watcher.watch([path]).isMore)
        try write(path + "/a")
        #expect(watcher.take().areThere)
        unlink(path + "/a")
        rmdir(path)
    }

    @Test("that is no longer wanted is not heard of again")
    func forgets() throws {
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        var watcher = try FolderWatcher()
        _ = watcher.watch([first.path, second.path])
        try write(first.path + "/late")
        #expect(watcher.watch([second.path]).isMore == false)
        try write(first.path + "/a")
        #expect(watcher.take().areThere == false)
        try write(second.path + "/a")
        #expect(watcher.take().areThere)
    }

    @Test("with more changes than the kernel keeps says that some are lost")
    func overflows() throws {
        let file = Descriptor(owning: open("/proc/sys/fs/inotify/max_queued_events", O_RDONLY))
        var text = [UInt8](repeating: 0, count: 20)
        let count = read(file.number, &text, text.count)
        let most = try #require(Int(String(decoding: text[..<max(0, count - 1)], as: UTF8.self)))
        try #require(most <= 1 << 17, "a queue too long to fill")
        let folder = try TemporaryFolder()
        var watcher = try FolderWatcher()
        _ = watcher.watch([folder.path])
        let (one, other) = (folder.path + "/a", folder.path + "/b")
        try write(one)
        try write(other)
        // Of two files in turn, so that the kernel joins none; nothing is written, which a disk would take long for.
        for _ in 0...(most / 2) {
            close(open(one, O_WRONLY))
            close(open(other, O_WRONLY))
        }
        let changes = watcher.take()
        #expect(changes.areThere && changes.areIncomplete)
        try write(one)
        #expect(watcher.take().areIncomplete == false)
    }
}

@Suite("The trail of a path")
struct LinkTrailTests {
    private let folder: TemporaryFolder
    private let root: String

    init() throws {
        folder = try TemporaryFolder()
        root = folder.path
    }

    private func trail(file name: String) -> [String] {
        var trail = LinkTrail()
        trail.follow(file: root + "/" + name)
        return names(trail)
    }

    private func names(_ trail: LinkTrail) -> [String] {
        trail.folders.map { String($0.dropFirst(root.utf8.count)) }.sorted()
    }

    private func clean(_ paths: String...) {
        for path in paths where unlink("\(root)/\(path)") != 0 { rmdir("\(root)/\(path)") }
    }

    @Test("of a plain file is its folder, and of a folder itself")
    func plain() throws {
        try File.write([1], to: root + "/a")
        #expect(trail(file: "a") == [""])
        var trail = LinkTrail()
        trail.follow(folder: root)
        #expect(names(trail) == [""])
    }

    @Test("has each link's folder and the target's, as Kubernetes and certbot make them")
    func links() throws {
        try File.makeDirectory(root + "/mount/..1")
        try File.write([1], to: root + "/mount/..1/a")
        symlink("..1", root + "/mount/..data")
        symlink("..data/a", root + "/mount/a")
        #expect(trail(file: "mount/a") == ["/mount", "/mount/..1"])
        try File.makeDirectory(root + "/live")
        symlink("../mount/a", root + "/live/b")
        #expect(trail(file: "live/b") == ["/live", "/live/../mount", "/live/../mount/..1"])
        clean("live/b", "live", "mount/a", "mount/..data", "mount/..1/a", "mount/..1", "mount")
    }

    @Test("has the folder in which what is missing would appear")
    func missing() throws {
        #expect(trail(file: "no/such/file") == [""])
        symlink("nowhere/else", root + "/dangling")
        #expect(trail(file: "dangling") == [""])
        clean("dangling")
    }

    @Test("of links in a circle ends")
    func circle() throws {
        symlink("b", root + "/a")
        symlink("a", root + "/b")
        #expect(trail(file: "a") == [""])
        #expect(trail(file: "a/file") == [""])
        clean("a", "b")
    }
}

@Suite("A file's stamp")
struct FileStampTests {
    @Test("is another one after a write, a rename over it, and a write that sets back its times")
    func differs() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        try File.write([1], to: path)
        let first = try File.contents(of: path).stamp
        #expect(try File.stamp(of: path) == first)
        try File.write([2], to: path)
        let second = try File.stamp(of: path)
        #expect(second != first)
        let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        #expect(try File.stamp(of: path) != second)
    }

    @Test(
        "is told of a file of any time, and one from the future proves nothing",
        arguments: [2_147_483_648, 13_569_465_600, .max]
    )
    func farTimes(second: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        try File.write([1], to: path)
        let times = [timespec](repeating: timespec(tv_sec: second, tv_nsec: 999_999_999), count: 2)
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        #expect(try File.stamp(of: path).isSettled(at: Clock.wallNanoseconds) == false)
    }

    @Test("tells times that no clock shows as the farthest", arguments: [Int.min, -1, .max])
    func impossibleTimes(second: Int) {
        var status = stat()
        status.st_mtim = timespec(tv_sec: second, tv_nsec: 999_999_999)
        #expect(FileStamp(status).isSettled(at: Clock.wallNanoseconds) == (second < 0))
    }

    @Test("proves nothing while the file is younger than the steps of its clock")
    func settles() throws {
        let folder = try TemporaryFolder()
        try File.write([1], to: folder.path + "/a")
        let stamp = try File.stamp(of: folder.path + "/a")
        let now = Clock.wallNanoseconds
        #expect(stamp.isSettled(at: now) == false)
        #expect(stamp.isSettled(at: now + 1_000_000_000) == false)
        #expect(stamp.isSettled(at: now + 2_100_000_000))
        // A clock that was set back: the file seems to come from later.
        #expect(stamp.isSettled(at: now - 3_600_000_000_000) == false)
    }
}
