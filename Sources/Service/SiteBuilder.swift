internal import Bridges
internal import Crypto
internal import HTTP
internal import JSON
internal import TLS

/// Prepares every answer of a catalog.
struct SiteBuilder {
    typealias Fields = [(name: String, value: String)]
    /// A path and the index of its endpoint.
    typealias Path = (path: String, endpoint: Int)

    let settings: Settings
    let certificates: CertificateStore?
    let sources: AdminSources
    /// Takes the reports of violations; nil where nobody would hear of them.
    let reports: ReportCollector?
    let limits: IdentityLimits
    /// The numbers that answers are counted under.
    let labels: AnswerLabels
    /// The port of https, as clients reach it.
    let securePort: Int

    var store = ResponseStoreBuilder()
    var secure = Face()
    var plain = Face()
    var routes = Routes()
    /// Descriptions of the API that were added, by what they tell of: tenants with the same bridges share one.
    var descriptions: [[String]: Int] = [:]
    /// The parts of the site before.
    let memory: SiteMemory
    /// What the admin lists of each tenant.
    private var listed: [[UInt8]] = []
    /// The label of what is added next.
    var label = 0

    init(
        settings: Settings,
        certificates: CertificateStore?,
        sources: AdminSources,
        reports: ReportCollector?,
        limits: IdentityLimits,
        labels: AnswerLabels,
        securePort: Int,
        memory: SiteMemory
    ) {
        self.settings = settings
        self.certificates = certificates
        self.sources = sources
        self.reports = reports
        self.limits = limits
        self.labels = labels
        self.securePort = securePort
        self.memory = memory
    }

    /// The host names that are the service's own whatever the settings say: they are how a machine calls itself.
    static let localHosts = ["localhost", "127.0.0.1", "[::1]"]

    static func serviceHosts(_ settings: Settings) -> [String] {
        let base = settings.publicBaseURL.flatMap(HostName.ofOrigin).map { [$0.host] } ?? []
        return localHosts + settings.hosts + base
    }

    /// Builds the site of a catalog; `roles` are those of the server's listeners, in their order.
    mutating func build(_ catalog: Catalog?, roles: [Role]) -> Site {
        let tenants = catalog?.tenants ?? []
        forgetDescriptions(before: catalog?.bridgesEdition ?? 0)
        addProblems()
        addRoutes(tenants, catalog?.bridges ?? [], inspection: addInspection(of: catalog))
        let admin = addAdmin()
        return Site(
            store: store.finish(),
            roles: roles,
            routes: routes,
            secure: secure,
            plain: plain,
            admin: admin,
            securePort: securePort,
            challenges: settings.challengeDirectory.map(Challenges.init)
        )
    }

    // MARK: Routes

    private mutating func addRoutes(_ tenants: [Tenant], _ bridges: [BridgeDescriptor], inspection: [Path]) {
        var paths: [ByteTable.Entry] = []
        var doors: [ByteTable.Entry] = []
        var sharedScopes: Set = [0]
        var hosts = Self.serviceHosts(settings).map { (name: $0, scope: 0) }
        paths.append(entry(addDescription(of: bridges, isShared: true)))
        let before = memory.tenants
        memory.tenants = [:]
        for (index, tenant) in tenants.enumerated() {
            let scope = tenant.hosts.isEmpty ? 0 : index + 1
            label = labels.number(tenant: tenant.name)
            routes.scopeLabels.append(scope > 0 ? label : 0)
            let old = before[tenant.name].flatMap { $0.edition == tenant.edition ? $0.part : nil }
            let part = old ?? makePart(of: tenant)
            memory.tenants[tenant.name] = (tenant.edition, part)
            let base = append(part)
            paths += part.paths.map { entry($0, scope: scope, base: base) }
            doors.append(entry(part.door, scope: scope, base: base))
            listed.append(part.listed)
            if scope > 0 {
                let had = bridges.filter { tenant.bridge($0.name) != nil }
                paths.append(entry(addDescription(of: had, isShared: false), scope: scope))
            }
            hosts += tenant.hosts.map { ($0, scope) }
        }
        label = 0
        routes.scopeLabels.append(0)
        if !inspection.isEmpty {
            // The inspector is there only under the names by which a machine calls itself; so these have a scope of their
            // own then, with all shared paths in it.
            let scope = tenants.count + 1
            let shared = { (entry: ByteTable.Entry) in
                entry.scope == 0 ? ByteTable.Entry(key: entry.key, scope: scope, value: entry.value) : nil
            }
            paths += inspection.map { entry($0, scope: scope) } + paths.compactMap(shared)
            doors += doors.compactMap(shared)
            sharedScopes.insert(scope)
            hosts = Self.localHosts.map { ($0, scope) } + hosts
        }
        routes.hosts = hosts.map { Host(scope: $0.scope, certificates: covering($0.name)) }
        routes.hostTable = ByteTable(hosts.enumerated().map { entry(($1.name, $0)) }, foldingCase: true)
        routes.ownHost = settings.publicBaseURL.flatMap(HostName.ofOrigin)?.host ?? Self.localHosts[0]
        routes.paths = ByteTable(paths)
        routes.doors = IdentityDoors(
            doors,
            closed: addDoor([], nil, Bucket(), labels.identities()),
            sharedScopes: sharedScopes
        )
    }

    private func entry(_ path: Path, scope: Int = 0, base: Int = 0) -> ByteTable.Entry {
        ByteTable.Entry(key: Array(path.path.utf8), scope: scope, value: path.endpoint + base)
    }

    /// All that is answered about a tenant, whichever other tenants there are.
    private func makePart(of tenant: Tenant) -> SitePart {
        var builder = partBuilder()
        builder.label = label
        let identities = builder.addIdentities(tenant)
        let paths = builder.addPages(tenant) + builder.addConfig(tenant) + identities.paths
        let listed: JSONValue = [
            "name": .string(tenant.name),
            "hosts": .array(tenant.hosts.map(JSONValue.string)),
            "bridges": .array(tenant.bridges.map { $0.restValue(tenant: tenant.name) }),
        ]
        return builder.part(paths, door: identities.door, listed: listed.bytes)
    }

    /// A builder of a part, which knows of no other part.
    func partBuilder() -> SiteBuilder {
        SiteBuilder(
            settings: settings,
            certificates: nil,
            sources: sources,
            reports: reports,
            limits: limits,
            labels: labels,
            securePort: securePort,
            memory: SiteMemory()
        )
    }

    private func covering(_ host: String) -> [Certificate] {
        (certificates?.identities ?? []).map(\.leaf).filter { $0.covers(host: host) }
    }

    /// A tenant's pages, and where their violations are reported; on its own hosts they need no name in the path.
    private mutating func addPages(_ tenant: Tenant) -> [Path] {
        let prefix = tenant.hosts.isEmpty ? "/\(tenant.name)" : ""
        return tenant.bridges.flatMap { bridge -> [Path] in
            guard let page = bridge.page else { return [] }
            defer { label = labels.number(tenant: tenant.name) }
            label = labels.number(tenant: tenant.name, bridge: bridge.name)
            let path = ("\(prefix)/\(page.name)", addPage(page, bridge.revision))
            guard let handler = reports?.handler(tenant: tenant.name, bridge: bridge.name, page: page) else {
                return [path]
            }
            return [path, (page.reportPath, add(handler))]
        }
    }

    // MARK: Resources

    private mutating func addPage(_ page: Page, _ revision: String) -> Int {
        add(
            page.body,
            type: "text/html; charset=utf-8",
            revision: revision,
            endpoint: Endpoint.page,
            fields: { SecurityFields.ofPage(page, isSecure: $0) }
        )
    }

    /// Adds an endpoint that answers POST.
    mutating func add(_ handler: any Handler) -> Int {
        routes.handlers.append(handler)
        routes.endpoints.append(.handler(routes.handlers.count - 1))
        routes.labels.append(label)
        return routes.endpoints.count - 1
    }

    /// Adds a resource, its representations once for each variant of its fields.
    mutating func add(
        _ body: [UInt8],
        type: String,
        revision: String,
        vary: String = "Accept-Encoding",
        endpoint: (Int) -> Endpoint,
        variants: [Fields] = [[]],
        fields: (Bool) -> Fields
    ) -> Int {
        let identity = store.add(content: body)
        let gzip = store.add(content: Gzip.compress(body))
        let index = secure.representations.count
        for isSecure in [true, false] {
            for variant in variants {
                let common = AnswerFields.ofRepresentation(vary: vary) + variant + fields(isSecure)
                let plain = represent(identity, type: type, tag: "\"\(revision)\"", coding: [], common)
                let packed = represent(
                    gzip,
                    type: type,
                    tag: "\"\(revision)-gzip\"",
                    coding: [(name: "Content-Encoding", value: "gzip")],
                    common
                )
                if isSecure {
                    secure.representations += [plain, packed]
                } else {
                    self.plain.representations += [plain, packed]
                }
            }
        }
        routes.endpoints.append(endpoint(index))
        routes.labels.append(label)
        return routes.endpoints.count - 1
    }

    private mutating func represent(
        _ content: PreparedBytes,
        type: String,
        tag: String,
        coding: [(name: String, value: String)],
        _ common: [(name: String, value: String)]
    ) -> Representation {
        let described = [(name: "Content-Type", value: type)] + coding + common
        return Representation(
            ok: store.add(.ok, fields: described, tag: tag, content: content),
            notModified: store.add(.notModified, fields: common, tag: tag, content: nil)
        )
    }

    // MARK: Problems and admin

    private mutating func addProblems() {
        for isSecure in [true, false] {
            var face = Face()
            face.problems = ProblemDetail.allCases.map { add($0, allowing: .any, isSecure: isSecure) }
            for methods in Methods.allCases {
                face.notAllowed.append(add(.methodNotAllowed, allowing: methods, isSecure: isSecure))
                let fields = AnswerFields.ofOptions(methods, isSecure: isSecure)
                face.options.append(store.add(.noContent, fields: fields, content: nil))
            }
            if isSecure { secure = face } else { plain = face }
        }
    }

    private mutating func add(_ problem: ProblemDetail, allowing methods: Methods, isSecure: Bool) -> PreparedResponse {
        let fields = AnswerFields.of(problem, allowing: methods, settings.identityRates, isSecure: isSecure)
        return store.add(problem.status, fields: fields, content: store.add(content: problem.content))
    }

    private mutating func addAdmin() -> AdminSite {
        let live: JSONValue = ["status": "live"]
        var tenants = Array("{\"tenants\":[".utf8)
        for (index, tenant) in listed.enumerated() {
            if index > 0 { tenants.append(UInt8(ascii: ",")) }
            tenants += tenant
        }
        tenants += "]}".utf8
        return AdminSite(live: addStatus(live.bytes), tenants: addStatus(tenants), sources: sources)
    }

    private mutating func addStatus(_ content: [UInt8]) -> PreparedResponse {
        let fields = AnswerFields.unstored(type: "application/json", isSecure: false)
        return store.add(.ok, fields: fields, content: store.add(content: content))
    }
}
