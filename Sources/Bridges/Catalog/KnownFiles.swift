internal import Crypto
public import System

/// Which contents a file had, or why it had none.
public enum FileVersion: Hashable, Sendable {
    /// A digest of the bytes.
    case contents(digest: [UInt8], isWorldReadable: Bool)
    /// A digest of the names of a folder's files, without those that are nobody's.
    case folder(digest: [UInt8])
    /// It can't be read, by the number of `errno`.
    case unreadable(CInt)
    /// It can't be judged by its contents alone, and is looked at anew each time.
    case unknown

    /// Whether it could not be read for a reason that passes without a change of the file.
    public var isTransient: Bool {
        guard case .unreadable(let code) = self else { return false }
        return SystemError.isTransient(code)
    }
}

/// Reads files, and knows of those that were read before whether they have changed; for the loading thread alone.
///
/// A file whose stamp is the same is not read again, unless it was so young when it was read that its stamp proves nothing.
/// One that is read again with the same bytes has not changed either, as when Kubernetes swaps all of them for the sake of
/// one. A load is one pass: what it has looked at it does not look at again.
public final class KnownFiles {
    /// Files and folders by their paths, as they were read.
    public typealias Inputs = [String: FileVersion]

    private struct Known {
        let version: FileVersion
        /// Nil for what has to be read to be judged.
        var stamp: FileStamp?
        var limit = File.defaultLimit
    }

    private var known: [String: Known] = [:]
    /// Those that are known to be as they are now.
    private var checked: Set<String> = []
    /// Bytes that were read for comparison in this pass, for whoever reads the file next.
    private var held: [String: File.Contents] = [:]
    private var trustsStamps = true
    /// Nanoseconds since 1970, by the clock that the times of files come from.
    private let now: () -> Int
    /// How many files this pass has read.
    private(set) var readCount = 0
    /// All that this pass depends on.
    public private(set) var inputs: Inputs = [:]
    /// What a part of the pass depends on, while it is recorded.
    private var recorded: Inputs?

    /// Nothing known.
    public init() { now = { Clock.wallNanoseconds } }

    /// The same, by another clock.
    init(now: @escaping () -> Int) { self.now = now }

    /// Begins another pass; one that does not trust stamps reads everything again.
    public func beginPass(trustingStamps: Bool) {
        trustsStamps = trustingStamps
        checked = []
        held = [:]
        inputs = [:]
        readCount = 0
    }

    /// Ends a pass; after one that was whole what it had no use for is no longer known.
    public func endPass(isWhole: Bool) {
        held = [:]
        if isWhole { known = known.filter { inputs[$0.key] != nil } }
    }

    // MARK: Reading

    /// The bytes of a file.
    public func bytes(of path: String) throws(SystemError) -> [UInt8] {
        // A file that changes while several of a pass read it is what the first one saw: the next pass finds the difference.
        defer { note(path, inputs[path] ?? known[path]?.version ?? .unknown) }
        if let contents = held.removeValue(forKey: path) { return contents.bytes }
        return try read(path, limit: File.defaultLimit).bytes
    }

    /// The names of a folder's JSON files without `.json`, sorted by bytes; other endings and hidden files are none of ours.
    ///
    /// They are sorted without their ending: a hyphen comes before the dot, so `a-1.json` before `a.json`.
    func jsonNames(in folder: String) throws(SystemError) -> [String] {
        defer { note(folder, known[folder]?.version ?? .unknown) }
        return try readNames(in: folder)
    }

    /// Notes files that somebody else reads, and which versions they have now.
    @discardableResult
    public func note(_ paths: [String], limit: Int = File.defaultLimit) -> Inputs {
        var versions: Inputs = [:]
        for path in paths {
            let version = currentVersion(of: path) ?? readVersion(of: path, limit: limit)
            held[path] = nil
            note(path, version)
            versions[path] = version
        }
        return versions
    }

    /// Notes that a file has to be looked at each time.
    func noteUnknown(_ path: String) { note(path, .unknown) }

    private func readNames(in folder: String) throws(SystemError) -> [String] {
        do throws(SystemError) {
            let names = try File.names(in: folder)
                .filter { $0.utf8.count > 5 && $0.utf8.suffix(5).elementsEqual(".json".utf8) && $0.utf8.first != 0x2E }
                .map { String(decoding: $0.utf8.dropLast(5), as: UTF8.self) }
                .sorted { $0.precedes($1) }
            keep(folder, Known(version: .folder(digest: Revision.digest(names.map { Array($0.utf8) }))))
            return names
        } catch {
            keep(folder, Known(version: .unreadable(error.code)))
            throw error
        }
    }

    private func read(_ path: String, limit: Int) throws(SystemError) -> File.Contents {
        let now = self.now()
        readCount += 1
        do throws(SystemError) {
            let contents = try File.contents(of: path, limit: limit)
            let version = FileVersion.contents(
                digest: SHA256.hash(contents.bytes),
                isWorldReadable: contents.isWorldReadable
            )
            let stamp = contents.stamp.isSettled(at: now) ? contents.stamp : nil
            keep(path, Known(version: version, stamp: stamp, limit: limit))
            return contents
        } catch {
            keep(path, Known(version: .unreadable(error.code), limit: limit))
            throw error
        }
    }

    private func readVersion(of path: String, limit: Int) -> FileVersion {
        held[path] = try? read(path, limit: limit)
        return known[path]?.version ?? .unknown
    }

    private func keep(_ path: String, _ now: Known) {
        known[path] = now
        checked.insert(path)
    }

    private func note(_ path: String, _ version: FileVersion) {
        inputs[path] = version
        recorded?[path] = version
    }

    // MARK: Comparing

    /// Does a part of a load; with it comes all that it read.
    func recording<Value>(_ part: () -> Value) -> (value: Value, inputs: Inputs) {
        recorded = [:]
        let value = part()
        defer { recorded = nil }
        return (value, recorded ?? [:])
    }

    /// Whether all of a part's inputs are as they were; then they are this pass's inputs too.
    func areCurrent(_ part: Inputs) -> Bool {
        for (path, version) in part where currentVersion(of: path) != version { return false }
        inputs.merge(part) { $1 }
        return true
    }

    /// The version that is there now; nil for what is not known.
    private func currentVersion(of path: String) -> FileVersion? {
        guard let last = known[path] else { return nil }
        if checked.contains(path) { return last.version }
        if case .folder = last.version {
            _ = try? readNames(in: path)
            return known[path]?.version
        }
        if trustsStamps, let stamp = last.stamp, stamp == (try? File.stamp(of: path)) {
            checked.insert(path)
            return last.version
        }
        return readVersion(of: path, limit: last.limit)
    }
}
