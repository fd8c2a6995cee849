internal import Bridges
internal import System

/// Watches over the files of loads, on the main thread.
final class FileWatch {
    /// How long, in milliseconds, what could not be read for want of something is left alone.
    private static let secondLook = 5_000

    private var watcher: FolderWatcher
    private var debouncer = Debouncer()
    private var isIncomplete = false
    private var toldFailures: Set<SystemError> = []

    init() throws(SystemError) {
        watcher = try FolderWatcher()
    }

    /// When files are to be read again, in milliseconds of the monotonic clock; nil for no need.
    var due: Int? { debouncer.due }

    func add(to loop: inout EventLoop<ServiceProcess.End>) throws(SystemError) {
        try loop.when(watcher.descriptor) {
            self.noteChanges()
            return nil
        }
    }

    private func noteChanges() {
        let changes = watcher.take()
        if changes.areThere { debouncer.note(now: Clock.monotonicMilliseconds) }
        if changes.areIncomplete { isIncomplete = true }
    }

    /// Forgets all changes so far, since everything is about to be read; whether some may have been missed.
    func beginLoad() -> Bool {
        noteChanges()
        debouncer.clear()
        defer { isIncomplete = false }
        return isIncomplete
    }

    /// Watches the folders of files, and those of every link on the way to them, and no others.
    ///
    /// A folder that was not watched while its files were read is looked at once more.
    ///
    /// - Returns: why some can't be watched, each once.
    func cover(_ inputs: KnownFiles.Inputs) -> [SystemError] {
        var trail = LinkTrail()
        for (path, version) in inputs {
            if case .folder = version { trail.follow(folder: path) } else { trail.follow(file: path) }
        }
        let (isMore, failures) = watcher.watch(trail.folders)
        // What went in this moment is looked at once more, too.
        if isMore || failures.contains(where: \.isMissing) { debouncer.note(now: Clock.monotonicMilliseconds) }
        // Nothing tells when the process or the disk can read again.
        if inputs.values.contains(where: \.isTransient) {
            debouncer.note(now: Clock.monotonicMilliseconds + Self.secondLook)
        }
        defer { toldFailures.formUnion(failures) }
        return failures.filter { !$0.isMissing && !toldFailures.contains($0) }
    }
}
