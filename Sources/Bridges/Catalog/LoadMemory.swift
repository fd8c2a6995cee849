internal import JSON

/// What a loader remembers of one load for the next, so that only what changed is read and made again.
///
/// For the loading thread alone.
public final class LoadMemory {
    /// The files that were read.
    public let files: KnownFiles

    var descriptors: Piece<DescriptorFiles.Outcome>?
    var inspector: Piece<Inspector?>?
    var tenants: [String: RememberedTenant] = [:]
    let patterns = PatternCache()
    /// What drafts were read against, and which edition of that it is.
    private var context: (value: TenantContext, edition: Int)?
    private var rendering: RenderContext?
    private var lastEdition = 0

    /// Nothing remembered.
    public convenience init() { self.init(files: KnownFiles()) }

    init(files: KnownFiles) {
        self.files = files
    }

    /// A part of a load with all that it came from.
    struct Piece<Value> {
        let value: Value
        let problems: [Problem]
        let inputs: KnownFiles.Inputs
    }

    /// A tenant's file as it was read, and what was made of it.
    struct RememberedTenant {
        let draft: Piece<TenantDraft?>
        var rendered: Tenant?
    }

    /// What tenants' files are read against.
    struct TenantContext: Equatable {
        let descriptors: KnownFiles.Inputs
        let brokenBridges: Set<String>
        let reservedHosts: Set<String>
        let secretsDirectory: String?
    }

    /// What pages are made of, beside tenants.
    struct RenderContext: Equatable {
        let templates: [String: [UInt8]]
        let publicBaseURL: String?
        let revisionSalt: String
        let explains: Bool
    }

    /// A part of a load as it was, if nothing that it came from has changed, else made anew; its problems are reported.
    func piece<Value>(
        _ old: Piece<Value>?,
        _ problems: ProblemCollector,
        _ make: (ProblemCollector) -> Value
    ) -> (piece: Piece<Value>, isNew: Bool) {
        if let old, files.areCurrent(old.inputs) {
            problems.report(old.problems)
            return (old, false)
        }
        let own = ProblemCollector()
        let made = files.recording { make(own) }
        problems.report(own.problems)
        return (Piece(value: made.value, problems: own.problems, inputs: made.inputs), true)
    }

    /// A number that no rendering had before.
    func newEdition() -> Int {
        lastEdition += 1
        return lastEdition
    }

    /// The edition of what tenants are read against; another one forgets all drafts.
    func edition(of now: TenantContext) -> Int {
        if let context, context.value == now { return context.edition }
        tenants = [:]
        let edition = newEdition()
        context = (now, edition)
        return edition
    }

    /// Forgets what was rendered otherwise.
    func beginRendering(_ now: RenderContext) {
        if rendering == now { return }
        for name in tenants.keys { tenants[name]?.rendered = nil }
        rendering = now
    }
}
