public import JSON

/// Loads a catalog from its files, and tells of everything that is wrong with them at once.
public struct CatalogLoader: Sendable {
    private let source: CatalogSource

    /// A loader of that source.
    public init(source: CatalogSource) {
        self.source = source
    }

    /// Reads all files; blocking, for the loading thread.
    ///
    /// - Parameters:
    ///   - previous: the catalog in use: a tenant whose file is broken now stays as it is there.
    ///   - progress: is told how many of the tenants' files have been read, and how many there are.
    public func load(previous: Catalog? = nil, progress: (Int, Int) -> Void = { _, _ in }) -> Load {
        let problems = ProblemCollector()
        let (files, tenantFiles) = readDescriptors(problems)
        let tenants = tenantFiles.read(problems: problems, progress: progress)
        return settle(files, tenants, previous: previous, problems: problems)
    }

    /// Why a page's policies allow what they do; nil if there is no such page, or if its files are broken.
    public func explain(tenant: String, bridge: String, problems: ProblemCollector) -> PolicyExplanation? {
        let (files, tenantFiles) = readDescriptors(problems)
        guard let draft = tenantFiles.read(tenant, problems: problems),
            let entry = draft.bridges.first(where: { $0.descriptor.name.isSame(as: bridge) }),
            let template = files.templates[entry.descriptor.name]
        else { return nil }
        let builder = PolicyBuilder(descriptor: entry.descriptor, config: entry.config)
        let path = ReportingEndpoint.path(tenant: draft.name, bridge: entry.descriptor.name)
        let grants = { (sources: [Directive: [String]]) in
            builder.grants(template: template, tenantSources: sources, reportPath: path)
        }
        return PolicyExplanation(
            enforced: grants(entry.sources),
            tried: entry.reportOnlySources.map(grants),
            permissions: builder.permissions()
        )
    }

    private func readDescriptors(_ problems: ProblemCollector) -> (DescriptorFiles.Outcome, TenantFiles) {
        let patterns = PatternCache()
        let files = DescriptorFiles(source: source, patterns: patterns).read(problems: problems)
        let reader = TenantReader(
            descriptors: files.descriptors,
            brokenBridges: files.broken,
            reservedHosts: source.reservedHosts,
            secretsDirectory: source.secretsDirectory,
            settings: SettingsReader(patterns: patterns)
        )
        return (files, TenantFiles(directory: source.configDirectory + "/tenants", reader: reader))
    }

    private func settle(
        _ files: DescriptorFiles.Outcome,
        _ tenants: TenantFiles.Outcome,
        previous: Catalog?,
        problems: ProblemCollector
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
        guard files.broken.isEmpty, files.isComplete, tenants.isComplete else { return load(nil) }
        let renderer = TenantRenderer(
            templates: files.templates,
            publicBaseURL: source.publicBaseURL,
            revisionSalt: source.revisionSalt
        )
        let served = tenants.names.compactMap { name -> Tenant? in
            if let draft = tenants.drafts[name], !rejected.contains(name) { return renderer.render(draft) }
            return before[name]
        }
        return load(Catalog(tenants: served, bridges: files.descriptors))
    }
}
