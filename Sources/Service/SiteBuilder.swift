internal import Bridges
internal import Crypto
internal import HTTP
internal import JSON
internal import TLS

/// Prepares every answer of a catalog.
struct SiteBuilder {
    private typealias Fields = [(name: String, value: String)]

    let settings: Settings
    let certificates: CertificateStore?
    let sources: AdminSources
    /// Takes the reports of violations; nil where nobody would hear of them.
    let reports: ReportCollector?
    /// The port of https, as clients reach it.
    let securePort: Int

    private var store = ResponseStoreBuilder()
    private var secure = Face()
    private var plain = Face()
    private var endpoints: [Endpoint] = []
    private var handlers: [any Handler] = []

    init(
        settings: Settings,
        certificates: CertificateStore?,
        sources: AdminSources,
        reports: ReportCollector?,
        securePort: Int
    ) {
        self.settings = settings
        self.certificates = certificates
        self.sources = sources
        self.reports = reports
        self.securePort = securePort
    }

    /// The host names that are the service's own whatever the settings say: they are how a machine calls itself.
    static let localHosts = ["localhost", "127.0.0.1", "[::1]"]

    static func serviceHosts(_ settings: Settings) -> [String] {
        let base = settings.publicBaseURL.flatMap(HostName.ofOrigin).map { [$0.host] } ?? []
        return localHosts + settings.hosts + base
    }

    /// Builds the site of a catalog's tenants; `roles` are those of the server's listeners, in their order.
    mutating func build(_ tenants: [Tenant], load: LoadSummary, roles: [Role]) -> Site {
        addProblems()
        let routes = addRoutes(tenants)
        let admin = addAdmin(tenants, load)
        return Site(
            store: store.finish(),
            roles: roles,
            routes: routes,
            secure: secure,
            plain: plain,
            admin: admin,
            securePort: securePort
        )
    }

    // MARK: Routes

    private mutating func addRoutes(_ tenants: [Tenant]) -> Routes {
        var paths: [ByteTable.Entry] = []
        var names: [ByteTable.Entry] = []
        var hosts: [Host] = []
        func serve(_ name: String, scope: Int) {
            names.append(ByteTable.Entry(key: Array(name.utf8), value: hosts.count))
            hosts.append(Host(scope: scope, certificates: covering(name)))
        }
        for name in Self.serviceHosts(settings) { serve(name, scope: 0) }
        for (index, tenant) in tenants.enumerated() {
            let scope = tenant.hosts.isEmpty ? 0 : index + 1
            for (path, endpoint) in addTenant(tenant, isShared: scope == 0) {
                paths.append(ByteTable.Entry(key: Array(path.utf8), scope: scope, value: endpoint))
            }
            for name in tenant.hosts { serve(name, scope: scope) }
        }
        return Routes(
            hostTable: ByteTable(names, foldingCase: true),
            hosts: hosts,
            ownHost: settings.publicBaseURL.flatMap(HostName.ofOrigin)?.host ?? Self.localHosts[0],
            paths: ByteTable(paths),
            endpoints: endpoints,
            handlers: handlers
        )
    }

    private func covering(_ host: String) -> [Certificate] {
        (certificates?.identities ?? []).map(\.leaf).filter { $0.covers(host: host) }
    }

    /// A tenant's pages and config; on its own hosts it needs no name in the path.
    private mutating func addTenant(_ tenant: Tenant, isShared: Bool) -> [(path: String, endpoint: Int)] {
        let prefix = isShared ? "/\(tenant.name)" : ""
        let root = isShared ? "/api/v1/tenants/\(tenant.name)/bridges" : "/api/v1/bridges"
        var paths: [(path: String, endpoint: Int)] = []
        for bridge in tenant.bridges {
            if let page = bridge.page {
                paths.append(("\(prefix)/\(page.name)", addPage(page, bridge.revision)))
                if let handler = reports?.handler(tenant: tenant.name, bridge: bridge.name, page: page) {
                    paths.append((page.reportPath, addHandler(handler)))
                }
            }
            let config = addData(bridge.restValue(tenant: tenant.name), revision: bridge.revision)
            paths.append(("\(root)/\(bridge.name)", config))
        }
        let all = JSONValue.array(tenant.bridges.map { $0.restValue(tenant: tenant.name) })
        let list: JSONValue = ["tenant": .string(tenant.name), "bridges": all]
        let revision = String(SHA256.hash(list.bytes).hexadecimal.prefix(16))
        paths.append((root, addData(list, revision: revision)))
        return paths
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

    private mutating func addData(_ value: JSONValue, revision: String) -> Int {
        add(
            value.bytes,
            type: "application/json",
            revision: revision,
            endpoint: Endpoint.data,
            fields: SecurityFields.ofData
        )
    }

    private mutating func addHandler(_ handler: any Handler) -> Int {
        handlers.append(handler)
        endpoints.append(.handler(handlers.count - 1))
        return endpoints.count - 1
    }

    private mutating func add(
        _ body: [UInt8],
        type: String,
        revision: String,
        endpoint: (Int) -> Endpoint,
        fields: (Bool) -> [(name: String, value: String)]
    ) -> Int {
        let identity = store.add(content: body)
        let gzip = store.add(content: Gzip.compress(body))
        for isSecure in [true, false] {
            let common: [(name: String, value: String)] =
                [(name: "Cache-Control", value: "no-cache"), (name: "Vary", value: "Accept-Encoding")]
                + fields(isSecure)
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
        endpoints.append(endpoint(secure.representations.count - 2))
        return endpoints.count - 1
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
                let fields = [Self.allow(methods)] + SecurityFields.ofData(isSecure: isSecure)
                face.options.append(store.add(.noContent, fields: fields, content: nil))
            }
            if isSecure { secure = face } else { plain = face }
        }
    }

    private static func allow(_ methods: Methods) -> (name: String, value: String) {
        (name: "Allow", value: methods.allow)
    }

    private mutating func add(_ problem: ProblemDetail, allowing methods: Methods, isSecure: Bool) -> PreparedResponse {
        var fields: Fields = [
            (name: "Content-Type", value: "application/problem+json"), (name: "Cache-Control", value: "no-store"),
        ]
        if problem == .methodNotAllowed { fields.append(Self.allow(methods)) }
        fields += SecurityFields.ofData(isSecure: isSecure)
        return store.add(problem.status, fields: fields, content: store.add(content: problem.content))
    }

    private mutating func addAdmin(_ tenants: [Tenant], _ load: LoadSummary) -> AdminSite {
        let list = JSONValue.array(
            tenants.map { tenant in
                [
                    "name": .string(tenant.name),
                    "hosts": .array(tenant.hosts.map(JSONValue.string)),
                    "bridges": .array(tenant.bridges.map { $0.restValue(tenant: tenant.name) }),
                ]
            }
        )
        let ready: JSONValue = [
            "status": "ready",
            "tenants": .integer(tenants.count),
            "leftOut": .array(load.leftOut.map(JSONValue.string)),
            "kept": .array(load.kept.map(JSONValue.string)),
        ]
        return AdminSite(
            live: addStatus(.ok, ["status": "live"]),
            ready: addStatus(.ok, ready),
            notReady: addStatus(.serviceUnavailable, ["status": "draining"]),
            tenants: addStatus(.ok, ["tenants": list]),
            sources: sources
        )
    }

    private mutating func addStatus(_ status: Status, _ value: JSONValue) -> PreparedResponse {
        let fields = [
            (name: "Content-Type", value: "application/json"), (name: "Cache-Control", value: "no-store"),
        ]
        let content = store.add(content: value.bytes)
        return store.add(status, fields: fields + SecurityFields.ofData(isSecure: false), content: content)
    }
}
