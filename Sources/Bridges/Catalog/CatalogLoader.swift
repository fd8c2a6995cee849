public import JSON

/// Loads a catalog from its files, and tells of everything that is wrong with them at once.
public struct CatalogLoader {
    private let source: CatalogSource
    private let memory: LoadMemory

    /// A loader of that source; of what the memory has it reads only what changed.
    public init(source: CatalogSource, memory: LoadMemory = LoadMemory()) {
        self.source = source
        self.memory = memory
    }

    /// Reads all files; blocking, for the loading thread.
    ///
    /// - Parameters:
    ///   - previous: the catalog in use: a tenant whose file is broken now stays as it is there.
    ///   - progress: is told how many of the tenants' files have been read, and how many there are; then the same for each
    ///     tenant that is rendered. It returns whether to go on; if not, the load has no catalog.
    public func load(previous: Catalog? = nil, progress: (Int, Int) -> Bool = { _, _ in true }) -> Load {
        let problems = ProblemCollector()
        let (files, tenantFiles) = readDescriptors(problems)
        let edition = memory.edition(of: context(files))
        let tenants = tenantFiles.read(problems: problems, progress: progress)
        return settle(files, tenants, previous: previous, edition: edition, problems: problems) {
            progress(tenants.names.count, tenants.names.count)
        }
    }

    /// Why a page's policies allow what they do; nil if there is no such page, or if its files are broken.
    public func explain(tenant: String, bridge: String, problems: ProblemCollector) -> PolicyExplanation? {
        let (files, tenantFiles) = readDescriptors(problems)
        guard let draft = tenantFiles.read(tenant, problems: problems),
            let entry = draft.bridges.first(where: { $0.descriptor.name.isSame(as: bridge) }),
            let template = files.templates[entry.descriptor.name]
        else { return nil }
        return PolicyExplanation(of: entry, tenant: draft.name, template: template)
    }

    private func readDescriptors(_ problems: ProblemCollector) -> (DescriptorFiles.Outcome, TenantFiles) {
        let (piece, _) = memory.piece(memory.descriptors, problems) { own in
            DescriptorFiles(source: source, patterns: memory.patterns, files: memory.files).read(problems: own)
        }
        memory.descriptors = piece
        let files = piece.value
        let reader = TenantReader(
            descriptors: files.descriptors,
            brokenBridges: files.broken,
            reservedHosts: source.reservedHosts,
            secretsDirectory: source.secretsDirectory,
            settings: SettingsReader(patterns: memory.patterns),
            files: memory.files
        )
        let tenants = TenantFiles(directory: source.configDirectory + "/tenants", reader: reader, memory: memory)
        return (files, tenants)
    }

    private func context(_ files: DescriptorFiles.Outcome) -> LoadMemory.TenantContext {
        let folder = source.configDirectory + "/bridges/"
        return LoadMemory.TenantContext(
            descriptors: (memory.descriptors?.inputs ?? [:]).filter { $0.key.utf8.starts(with: folder.utf8) },
            brokenBridges: files.broken,
            reservedHosts: source.reservedHosts,
            secretsDirectory: source.secretsDirectory
        )
    }

    private func settle(
        _ files: DescriptorFiles.Outcome,
        _ tenants: TenantFiles.Outcome,
        previous: Catalog?,
        edition: Int,
        problems: ProblemCollector,
        progress: () -> Bool
    ) -> Load {
        let before = Dictionary((previous?.tenants ?? []).map { ($0.name, $0) }) { first, _ in first }
        var claims = HostClaims(
            tenants.names.map { name in
                HostClaims.Candidate(
                    name: name,
                    claims: tenants.drafts[name]?.hosts ?? [],
                    previousHosts: before[name]?.hosts ?? [],
                    isKept: tenants.drafts[name] == nil
                )
            }
        )
        let rejected = claims.rejected()
        problems.report(claims.problems)
        let broken = tenants.names.filter { tenants.drafts[$0] == nil || rejected.contains($0) }
        let load = { (catalog: Catalog?) in
            Load(
                catalog: catalog,
                problems: problems.problems,
                leftOut: broken.filter { before[$0] == nil },
                kept: broken.filter { before[$0] != nil }
            )
        }
        let inspector = source.inspects ? readInspector(problems) : nil
        let lacksInspector = source.inspects && inspector == nil
        guard files.broken.isEmpty, files.isComplete, tenants.isComplete, !lacksInspector else { return load(nil) }
        let renderer = TenantRenderer(
            templates: files.templates,
            publicBaseURL: source.publicBaseURL,
            revisionSalt: source.revisionSalt,
            explains: source.inspects
        )
        memory.beginRendering(renderer.context)
        var served: [Tenant] = []
        for name in tenants.names {
            guard progress() else { return load(nil) }
            let draft = rejected.contains(name) ? nil : tenants.drafts[name]
            if let tenant = draft.map({ render($0, renderer) }) ?? before[name] { served.append(tenant) }
        }
        return load(
            Catalog(tenants: served, bridges: files.descriptors, bridgesEdition: edition, inspector: inspector)
        )
    }

    private func render(_ draft: TenantDraft, _ renderer: TenantRenderer) -> Tenant {
        if let tenant = memory.tenants[draft.name]?.rendered { return tenant }
        let tenant = renderer.render(draft, edition: memory.newEdition())
        memory.tenants[draft.name]?.rendered = tenant
        return tenant
    }

    private func readInspector(_ problems: ProblemCollector) -> Inspector? {
        let (piece, _) = memory.piece(memory.inspector, problems) { own in
            Inspector.read(from: source.publicDirectory, problems: own, files: memory.files)
        }
        memory.inspector = piece
        return piece.value
    }
}
