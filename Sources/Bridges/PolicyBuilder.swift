internal import JSON

/// Puts a page's policies together from descriptor, settings and tenant.
struct PolicyBuilder {
    struct Fields {
        let contentSecurityPolicy: String
        let reportOnlyPolicy: String?
        let permissionsPolicy: String
    }

    /// The name of the endpoint that reports go to.
    static let reportGroup = "bridgehost"

    let descriptor: BridgeDescriptor
    let tenant: TenantDraft
    let config: JSONValue

    static func reportPath(_ tenant: TenantDraft, _ descriptor: BridgeDescriptor) -> String {
        "/reports/\(tenant.name)/\(descriptor.name)"
    }

    func fields(_ template: PageTemplate, _ bridge: TenantDraft.Bridge) -> Fields {
        let base = vendorPolicy(template)
        return Fields(
            contentSecurityPolicy: finished(base, adding: bridge.policy).text,
            reportOnlyPolicy: bridge.reportOnly.map { reportOnly(base, adding: $0).text },
            permissionsPolicy: PermissionsPolicy.text(descriptor.permissions) { isOn($0) }
        )
    }

    private func vendorPolicy(_ template: PageTemplate) -> Policy {
        var policy = Policy.locked
        policy.allow(template.scriptHashes + ["'strict-dynamic'"], for: "script-src")
        for (directive, sources) in descriptor.policy {
            policy.allow(sources.flatMap(resolve), for: directive)
        }
        // A hash beside 'unsafe-inline' would switch that off, for the SDK's own styles too.
        let styles = policy.directives.first { $0.name == "style-src" }?.sources ?? []
        if !styles.contains("'unsafe-inline'") { policy.allow(template.styleHashes, for: "style-src") }
        return policy
    }

    private func resolve(_ source: BridgeDescriptor.Source) -> [String] {
        switch source {
        case .fixed(let text): [text]
        case .setting(let name): string(name).flatMap(PolicySource.origin).map { [$0] } ?? []
        case .when(let setting, let values, let sources):
            isKnown(string(setting), setting) ? (values.contains(string(setting) ?? "") ? sources : []) : sources
        }
    }

    /// Whether any `when` of any directive knows the value; one that none knows gets the sources of all.
    private func isKnown(_ value: String?, _ setting: String) -> Bool {
        descriptor.policy.flatMap(\.sources).contains { source in
            guard case .when(setting, let values, _) = source else { return false }
            return values.contains(value ?? "")
        }
    }

    private func finished(_ base: Policy, adding: [(directive: String, sources: [String])]) -> Policy {
        var policy = base
        for (directive, sources) in adding { policy.allow(sources, for: directive) }
        return reporting(policy)
    }

    /// frame-ancestors counts in an enforced policy alone (CSP3 §6.4.2).
    private func reportOnly(_ base: Policy, adding: [(directive: String, sources: [String])]) -> Policy {
        var policy = base
        policy.remove("frame-ancestors")
        for (directive, sources) in adding where directive != "frame-ancestors" {
            policy.allow(sources, for: directive)
        }
        return reporting(policy)
    }

    private func reporting(_ policy: Policy) -> Policy {
        var policy = policy
        policy.allow([Self.reportPath(tenant, descriptor)], for: "report-uri")
        policy.allow([Self.reportGroup], for: "report-to")
        return policy
    }

    private func string(_ setting: String) -> String? {
        guard case .string(let text) = value(setting) else { return nil }
        return text
    }

    private func isOn(_ setting: String) -> Bool {
        guard case .bool(let on) = value(setting) else { return false }
        return on
    }

    private func value(_ setting: String) -> JSONValue? {
        guard case .object(let members) = config else { return nil }
        return members.first { $0.name == setting }?.value
    }
}
