internal import Crypto
public import JSON
internal import System

/// Where a catalog's files are, and what of the service they depend on.
public struct CatalogSource: Sendable {
    /// Holds `bridges/` and `tenants/`.
    public let configDirectory: String
    /// Holds the pages and what they inline.
    public let publicDirectory: String
    /// The origin of page URLs for tenants without a host.
    public let publicBaseURL: String?
    /// The hosts that are no tenant's.
    public let serviceHosts: [String]
    /// What else answers depend on: the version of the program.
    public let revisionSalt: String

    /// A source from its parts.
    public init(
        configDirectory: String,
        publicDirectory: String,
        publicBaseURL: String?,
        serviceHosts: [String],
        revisionSalt: String
    ) {
        self.configDirectory = configDirectory
        self.publicDirectory = publicDirectory
        self.publicBaseURL = publicBaseURL
        self.serviceHosts = serviceHosts
        self.revisionSalt = revisionSalt
    }
}

/// What a load came to.
public struct CatalogLoad: Sendable {
    /// The catalog; nil when a descriptor or page is broken, since then no tenant could be trusted to be right.
    public let catalog: Catalog?
    /// All that was found wrong, in the order of the files.
    public let problems: [Problem]
    /// Tenants that are not served, by name.
    public let leftOut: [String]
    /// Tenants that are served as they were before, by name.
    public let kept: [String]
}

/// Reads all files and makes a catalog; runs on the loading thread and blocks it.
public struct CatalogLoader {
    private let source: CatalogSource

    /// A loader of a source.
    public init(_ source: CatalogSource) {
        self.source = source
    }

    /// Loads everything and reports every problem.
    ///
    /// - Parameters:
    ///   - previous: what was served until now; a broken tenant stays as it was there.
    ///   - progress: called with the number of tenants read and of all.
    public func load(previous: Catalog? = nil, progress: (Int, Int) -> Void = { _, _ in }) -> CatalogLoad {
        let problems = ProblemCollector()
        let patterns = PatternCache()
        let descriptors = DescriptorLoader(source: source, patterns: patterns).load(problems)
        let templates = TemplateLoader(directory: source.publicDirectory).load(descriptors, problems)
        guard !problems.hasErrors else {
            return CatalogLoad(catalog: nil, problems: problems.problems, leftOut: [], kept: [])
        }
        let reader = TenantReader(descriptors: descriptors, serviceHosts: source.serviceHosts, patterns: patterns)
        let tenants = TenantLoader(directory: source.configDirectory + "/tenants", reader: reader)
        var found = tenants.load(problems, progress)
        let claims = HostClaims(previous: previous, broken: found.broken)
        found = claims.settle(found, problems)

        let renderer = Renderer(
            templates: templates,
            publicBaseURL: source.publicBaseURL,
            salt: source.revisionSalt
        )
        let lastGood = (previous?.tenants ?? []).filter { found.broken.contains($0.name) }
        let served = (found.drafts.map(renderer.render) + lastGood).sorted { $0.name < $1.name }
        warnOfMissingURL(served, problems)
        let kept = lastGood.map(\.name)
        return CatalogLoad(
            catalog: Catalog(tenants: served, bridges: descriptors),
            problems: problems.problems,
            leftOut: found.broken.filter { !kept.contains($0) },
            kept: kept
        )
    }

    private func warnOfMissingURL(_ tenants: [Tenant], _ problems: ProblemCollector) {
        let count = tenants.count { $0.hosts.isEmpty }
        guard source.publicBaseURL == nil, count > 0 else { return }
        problems.report(.noPageURL(tenantCount: count, file: source.configDirectory + "/server.json"))
    }
}

/// Reads `bridges/*.json`.
struct DescriptorLoader {
    let source: CatalogSource
    let patterns: PatternCache

    func load(_ problems: ProblemCollector) -> [BridgeDescriptor] {
        let reader = DescriptorReader(patterns: patterns)
        return JSONFolder(path: source.configDirectory + "/bridges").entries(problems).compactMap { file in
            guard patterns.matches(file.name, TenantReader.namePattern) else {
                problems.report(.badFileName(file.path, expected: "small letters, digits and '-', as my-chat.json"))
                return nil
            }
            return file.read(problems).flatMap { reader.read($0, name: file.name) }
        }
    }
}

/// Reads the pages that descriptors name.
struct TemplateLoader {
    let directory: String

    func load(_ descriptors: [BridgeDescriptor], _ problems: ProblemCollector) -> [String: PageTemplate] {
        var templates: [String: PageTemplate] = [:]
        var owners: [String: String] = [:]
        for descriptor in descriptors {
            guard let page = descriptor.page else { continue }
            let path = directory + "/" + page
            if let other = owners.updateValue(descriptor.name, forKey: page) {
                problems.report(.pageSharedByBridges(page, file: path, other: other))
                continue
            }
            guard let bytes = read(path, problems) else { continue }
            let reader = PageTemplateReader(
                readAsset: { read(directory + "/" + $0, problems) },
                file: path,
                problems: problems
            )
            guard let template = reader.read(page, bytes) else { continue }
            check(template, descriptor, path, problems)
            templates[page] = template
        }
        return templates
    }

    private func check(
        _ template: PageTemplate,
        _ descriptor: BridgeDescriptor,
        _ path: String,
        _ problems: ProblemCollector
    ) {
        let allowsInline = descriptor.policy.contains { directive, sources in
            directive == "style-src"
                && sources.contains { if case .fixed("'unsafe-inline'") = $0 { true } else { false } }
        }
        if template.hasStyleAttributes, !allowsInline {
            problems.report(.page(file: path, position: nil, .styleAttribute))
        }
    }

    private func read(_ path: String, _ problems: ProblemCollector) -> [UInt8]? {
        do throws(SystemError) {
            return try File.read(path)
        } catch {
            problems.report(.unreadable(error))
            return nil
        }
    }
}
