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
        /// Whether the folder itself could be read, to its end.
        var isComplete = true
    }

    let directory: String
    let reader: TenantReader
    let memory: LoadMemory

    /// Reads those that have changed; the others are as the memory has them.
    func read(problems: ProblemCollector, progress: (Int, Int) -> Bool) -> Outcome {
        var outcome = Outcome()
        guard let files = ConfigFolder(memory.files).names(in: directory, problems: problems) else {
            outcome.isComplete = false
            return outcome
        }
        let before = memory.tenants
        memory.tenants = [:]
        for (index, name) in files.enumerated() {
            outcome.names.append(name)
            let old = before[name]
            let (piece, isNew) = memory.piece(old?.draft, problems) { read(name, problems: $0) }
            memory.tenants[name] = LoadMemory.RememberedTenant(draft: piece, rendered: isNew ? nil : old?.rendered)
            outcome.drafts[name] = piece.value
            guard progress(index + 1, files.count) else {
                outcome.isComplete = false
                return outcome
            }
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
        guard let bytes = ConfigFolder(memory.files).bytes(of: file, problems: own),
            let root = JSONReader.root(of: bytes, file: file, problems: own)
        else { return nil }
        let draft = reader.read(root, name: name)
        return own.hasErrors ? nil : draft
    }
}

/// A folder of JSON files, one for each thing.
struct ConfigFolder {
    private let files: KnownFiles

    init(_ files: KnownFiles) {
        self.files = files
    }

    /// The names without `.json`; nil for a folder that can't be read, which is reported.
    func names(in directory: String, problems: ProblemCollector) -> [String]? {
        do {
            return try files.jsonNames(in: directory)
        } catch {
            problems.report(.unreadable(directory, reason: error.reason))
            return nil
        }
    }

    func bytes(of file: String, problems: ProblemCollector) -> [UInt8]? {
        do {
            return try files.bytes(of: file)
        } catch {
            problems.report(.unreadable(file, reason: error.reason))
            return nil
        }
    }
}
