internal import Bridges
internal import Crypto
internal import HTTP
internal import JSON

// What the API has for a tenant: its config, which pages of its origins may read, and the door to its identities.
extension SiteBuilder {
    /// The path of a tenant's bridges; on the tenant's own hosts it needs no name.
    static func bridgesPath(of tenant: Tenant) -> String {
        tenant.hosts.isEmpty ? "/api/v1/tenants/\(tenant.name)/bridges" : "/api/v1/bridges"
    }

    /// Adds a tenant's config, one bridge at a time and all at once.
    mutating func addConfig(_ tenant: Tenant) -> [Path] {
        let root = Self.bridgesPath(of: tenant)
        let origins = addOrigins(tenant.access.origins)
        var paths = tenant.bridges.map { bridge in
            label = labels.number(tenant: tenant.name, bridge: bridge.name)
            let value = bridge.restValue(tenant: tenant.name)
            return ("\(root)/\(bridge.name)", addConfig(value, revision: bridge.revision, origins))
        }
        label = labels.number(tenant: tenant.name)
        let all = JSONValue.array(tenant.bridges.map { $0.restValue(tenant: tenant.name) })
        let list: JSONValue = ["tenant": .string(tenant.name), "bridges": all]
        let revision = String(SHA256.hash(list.bytes).hexadecimal.prefix(16))
        paths.append((root, addConfig(list, revision: revision, origins)))
        return paths
    }

    private mutating func addConfig(_ value: JSONValue, revision: String, _ origins: Int) -> Int {
        add(
            value.bytes,
            type: "application/json",
            revision: revision,
            vary: AnswerFields.varyOfConfig,
            endpoint: { .data($0, origins: origins) },
            variants: [[]] + routes.origins[origins].map(CrossOrigin.fields),
            fields: SecurityFields.ofData
        )
    }

    /// Adds a list of origins with the answers to their preflights.
    private mutating func addOrigins(_ origins: [String]) -> Int {
        if origins.isEmpty { return 0 }
        routes.origins.append(origins.map { Array($0.utf8) })
        for isSecure in [true, false] {
            let preflights = routes.origins[routes.origins.count - 1].map { origin in
                let fields = CrossOrigin.preflightFields(allowing: origin) + SecurityFields.ofData(isSecure: isSecure)
                return store.add(.noContent, fields: fields, content: nil)
            }
            if isSecure { secure.preflights.append(preflights) } else { plain.preflights.append(preflights) }
        }
        return routes.origins.count - 1
    }

    // MARK: Description

    /// Adds the description of the API; on a tenant's own hosts its paths have no tenant.
    mutating func addDescription(of bridges: [BridgeDescriptor], isShared: Bool) -> Path {
        let key = bridges.map(\.name) + (isShared ? ["{tenant}"] : [])
        if let known = descriptions[key] {
            // The same answer, counted as another's.
            routes.endpoints.append(routes.endpoints[known])
            routes.labels.append(label)
            return (OpenAPI.path, routes.endpoints.count - 1)
        }
        let part = memory.descriptions.parts[key] ?? makeDescription(of: bridges, isShared: isShared)
        memory.descriptions.parts[key] = part
        let endpoint = append(part) + part.paths[0].endpoint
        routes.labels[endpoint] = label
        descriptions[key] = endpoint
        return (OpenAPI.path, endpoint)
    }

    /// Forgets descriptions of other editions of the bridges.
    mutating func forgetDescriptions(before edition: Int) {
        if memory.descriptions.edition != edition { memory.descriptions = (edition, [:]) }
    }

    private func makeDescription(of bridges: [BridgeDescriptor], isShared: Bool) -> SitePart {
        var builder = partBuilder()
        let content = OpenAPI(bridges: bridges, isShared: isShared, rates: settings.identityRates).document.bytes
        let endpoint = builder.add(
            content,
            type: "application/json",
            revision: String(SHA256.hash(content).hexadecimal.prefix(16)),
            endpoint: { .data($0, origins: 0) },
            fields: SecurityFields.ofData
        )
        return builder.part([(OpenAPI.path, endpoint)])
    }

    // MARK: Identities

    /// Adds the doors to a tenant's identities: a path for each bridge that signs, and the door of all others.
    mutating func addIdentities(_ tenant: Tenant) -> (paths: [Path], door: Path) {
        let root = Self.bridgesPath(of: tenant)
        let bucket = limits.bucket(ofTenant: tenant.name)
        let paths = tenant.bridges.filter { $0.identity != nil }.map { bridge in
            let counts = labels.identities(tenant: tenant.name, bridge: bridge.name)
            label = labels.number(tenant: tenant.name, bridge: bridge.name)
            let door = addDoor(tenant.access.tokens, bridge.identity, bucket, counts)
            return ("\(root)/\(bridge.name)/identity", door)
        }
        label = labels.number(tenant: tenant.name)
        return (paths, (root, addDoor(tenant.access.tokens, nil, bucket, labels.identities(tenant: tenant.name))))
    }

    /// Adds a door; one without tokens stays shut.
    mutating func addDoor(
        _ tokens: [[UInt8]],
        _ identity: TenantIdentity?,
        _ bucket: Bucket,
        _ counts: IdentityCounts
    ) -> Int {
        add(
            IdentityHandler(
                tokens: tokens,
                identity: identity,
                bucket: bucket,
                limits: limits,
                rates: settings.identityRates,
                counts: counts
            )
        )
    }
}
