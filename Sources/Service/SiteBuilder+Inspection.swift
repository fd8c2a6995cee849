internal import Bridges
internal import Crypto
internal import HTTP
internal import JSON

/// Where the inspector is.
enum InspectorPath {
    /// The list of all bridges.
    static let list = "/inspect/"

    /// The inspector of a bridge.
    static func view(tenant: String, bridge: String) -> String { "\(list)\(tenant)/\(bridge)" }

    /// The page in its frame.
    static func framed(tenant: String, bridge: String) -> String { "\(view(tenant: tenant, bridge: bridge))/page" }
}

extension SiteBuilder {
    /// Prepares the inspector of every bridge that has a page; nothing where it was not asked for.
    mutating func addInspection(of catalog: Catalog?) -> [Path] {
        guard let catalog, let inspector = catalog.inspector else { return [] }
        let list = inspector.view(of: Self.list(catalog))
        var paths = [(InspectorPath.list, addView(list, permissions: nil))]
        for tenant in catalog.tenants {
            for bridge in tenant.bridges {
                guard let page = bridge.page else { continue }
                let title = catalog.bridge(bridge.name)?.title ?? bridge.name
                let view = inspector.view(of: Self.subject(page, bridge, tenant: tenant.name, title: title))
                let (name, permissions) = (tenant.name, page.permissionsPolicy)
                paths += [
                    (InspectorPath.view(tenant: name, bridge: bridge.name), addView(view, permissions: permissions)),
                    (InspectorPath.framed(tenant: name, bridge: bridge.name), addFramed(inspector.framed(page))),
                ]
            }
        }
        return paths
    }

    // MARK: What it shows

    private static func list(_ catalog: Catalog) -> JSONValue {
        let bridges = catalog.tenants.flatMap { tenant in
            tenant.bridges.map { bridge in
                var members: [(name: String, value: JSONValue)] = [
                    ("tenant", .string(tenant.name)),
                    ("bridge", .string(bridge.name)),
                    ("title", .string(catalog.bridge(bridge.name)?.title ?? bridge.name)),
                    ("enabled", .bool(bridge.enabled)),
                ]
                if bridge.page != nil {
                    members.append(("path", .string(InspectorPath.view(tenant: tenant.name, bridge: bridge.name))))
                }
                return JSONValue.object(members)
            }
        }
        return ["bridges": .array(bridges)]
    }

    private static func subject(_ page: Page, _ bridge: TenantBridge, tenant: String, title: String) -> JSONValue {
        let fields = SecurityFields.ofPage(page, isSecure: true)
        return [
            "title": .string(title),
            "pageURL": .string(bridge.pageURL ?? "/\(tenant)/\(page.name)"),
            "framedPath": .string(InspectorPath.framed(tenant: tenant, bridge: bridge.name)),
            "page": (try? JSONReader.read(page.data))?.root.value ?? .null,
            "fields": .array(fields.map { field($0.name, $0.value, bridge.explanation) }),
        ]
    }

    /// A field, and of a policy every part with its reason.
    private static func field(_ name: String, _ value: String, _ explanation: PolicyExplanation?) -> JSONValue {
        let rows: [[String]]? =
            switch name {
            case "Content-Security-Policy": explanation.map { PolicyTable.rows($0.enforced) }
            case "Content-Security-Policy-Report-Only": explanation?.tried.map(PolicyTable.rows)
            case "Permissions-Policy": explanation.map { PolicyTable(explanation: $0).permissionRows }
            default: nil
            }
        let parts = (rows ?? []).map { JSONValue.array($0.map(JSONValue.string)) }
        return ["name": .string(name), "value": .string(value), "parts": .array(parts)]
    }

    // MARK: Resources

    private mutating func addView(_ view: Inspector.View, permissions: String?) -> Int {
        addHTML(view.body) { SecurityFields.ofInspector(view, permissions: permissions, isSecure: $0) }
    }

    private mutating func addFramed(_ page: Page) -> Int {
        addHTML(page.body) { SecurityFields.ofPage(page, isSecure: $0) }
    }

    private mutating func addHTML(
        _ body: [UInt8],
        fields: (Bool) -> [(name: String, value: String)]
    ) -> Int {
        let text = fields(true).map { "\($0.name): \($0.value)\n" }.joined()
        return add(
            body,
            type: "text/html; charset=utf-8",
            revision: String(SHA256.hash(Array(text.utf8) + body).hexadecimal.prefix(16)),
            endpoint: Endpoint.page,
            fields: fields
        )
    }
}
