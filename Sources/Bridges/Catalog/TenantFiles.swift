internal import JSON
internal import System

/// Reads the folder of tenants.
struct TenantFiles {
    /// What was read.
    struct Outcome {
        /// The tenants that have a file, usable or not, sorted by bytes.
        var names: [String] = []
        /// The usable ones.
        var drafts: [String: TenantDraft] = [:]
        /// Whether the folder itself could be read.
        var isComplete = true
    }

    let directory: String
    let reader: TenantReader

    func read(problems: ProblemCollector, progress: (Int, Int) -> Void) -> Outcome {
        var outcome = Outcome()
        guard let files = ConfigFolder.names(in: directory, problems: problems) else {
            outcome.isComplete = false
            return outcome
        }
        for (index, name) in files.enumerated() {
            outcome.names.append(name)
            outcome.drafts[name] = read(name, problems: problems)
            progress(index + 1, files.count)
        }
        return outcome
    }

    func read(_ name: String, problems: ProblemCollector) -> TenantDraft? {
        let file = "\(directory)/\(name).json"
        let own = ProblemCollector()
        defer { problems.report(own.inOrderOfText) }
        guard Name.isValid(name), !Name.reserved.contains(name) else {
            own.report(.badName(name, file: file, reserved: Name.reserved))
            return nil
        }
        guard let bytes = ConfigFolder.bytes(of: file, problems: own),
            let root = JSONReader.root(of: bytes, file: file, problems: own)
        else { return nil }
        let draft = reader.read(root, name: name)
        return own.hasErrors ? nil : draft
    }
}

/// A folder of JSON files, one for each thing.
enum ConfigFolder {
    /// The names without `.json`, sorted by bytes; other endings and hidden files are none of ours.
    ///
    /// They are sorted without their ending: a hyphen comes before the dot, so `a-1.json` before `a.json`.
    static func names(in directory: String, problems: ProblemCollector) -> [String]? {
        do {
            return try File.names(in: directory)
                .filter { $0.utf8.count > 5 && $0.utf8.suffix(5).elementsEqual(".json".utf8) && $0.utf8.first != 0x2E }
                .map { String(decoding: $0.utf8.dropLast(5), as: UTF8.self) }
                .sorted { $0.precedes($1) }
        } catch {
            problems.report(.unreadable(directory, reason: error.reason))
            return nil
        }
    }

    static func bytes(of file: String, problems: ProblemCollector) -> [UInt8]? {
        do {
            return try File.read(file)
        } catch {
            problems.report(.unreadable(file, reason: error.reason))
            return nil
        }
    }
}
