internal import JSON

/// Works out what one tenant's page may do, from the descriptor's rules and the tenant's effective settings.
struct PolicyBuilder {
    let descriptor: BridgeDescriptor
    /// The settings' values after defaults; names are ASCII, so Swift's equality is that of bytes.
    let config: [String: JSONValue]

    /// The page's policy with a tenant's own sources on top.
    func policy(template: PageTemplate, tenantSources: [Directive: [String]], reportPath: String) -> Policy {
        var policy = Policy.locked
        for grant in grants(template: template, tenantSources: tenantSources, reportPath: reportPath) {
            policy.allow(grant.source, in: grant.directive)
        }
        return policy
    }

    /// What the policy allows beside nothing, in the order in which it is written, each with its reason.
    func grants(
        template: PageTemplate,
        tenantSources: [Directive: [String]],
        reportPath: String
    ) -> [PolicyGrant] {
        var grants = template.scriptHashes.map { PolicyGrant($0, in: .scriptSrc, because: .page) }
        grants.append(PolicyGrant("'strict-dynamic'", in: .scriptSrc, because: .everyPage))
        grants += template.styleHashes.map { PolicyGrant($0, in: .styleSrc, because: .page) }
        for directive in Directive.ofDescriptors {
            for rule in descriptor.sources[directive] ?? [] {
                grants += sources(of: rule).map { PolicyGrant($0, in: directive, because: reason(of: rule)) }
            }
            grants += (tenantSources[directive] ?? []).map { PolicyGrant($0, in: directive, because: .tenant) }
        }
        grants.append(PolicyGrant(reportPath, in: .reportURI, because: .everyPage))
        grants.append(PolicyGrant(ReportingEndpoint.name, in: .reportTo, because: .everyPage))
        return grants
    }

    private func reason(of rule: SourceRule) -> PolicyGrant.Reason {
        switch rule {
        case .source: .descriptor
        case .when(let conditions, _):
            .values(conditions.map { ($0.setting, config[$0.setting]) }.map(PolicyGrant.Value.init))
        case .setting(let name): .values([PolicyGrant.Value(setting: name, value: config[name])])
        }
    }

    /// The value of the page's `Permissions-Policy`.
    func permissionsPolicy() -> String {
        let granted = permissions().filter(\.isGranted).map { ($0.feature, $0.origins) }
        return PermissionsPolicy.text(granting: Dictionary(granted, uniquingKeysWith: +))
    }

    /// What the descriptor would let the page ask for, and whether it may.
    func permissions() -> [PermissionGrant] {
        descriptor.permissions.map { rule in
            PermissionGrant(
                feature: rule.feature,
                origins: rule.origins.flatMap(sources),
                isGranted: rule.setting.map { config[$0] == .bool(true) } ?? true,
                reason: rule.setting.map { .values([PolicyGrant.Value(setting: $0, value: config[$0])]) } ?? .descriptor
            )
        }
    }

    private func sources(of rule: SourceRule) -> [String] {
        switch rule {
        case .source(let source): [source]
        case .when(let conditions, let sources): conditions.allSatisfy(holds) ? sources : []
        case .setting(let name): origin(of: name).map { [$0] } ?? []
        }
    }

    private func origin(of name: String) -> String? {
        guard case .string(let url) = config[name] else { return nil }
        return WebURL.origin(of: url)
    }

    /// A value that no rule knows lets every rule on that setting hold: a new region should chat, if with a wider policy.
    private func holds(_ condition: SourceRule.Condition) -> Bool {
        guard let value = config[condition.setting] else { return isOpen(condition.setting) }
        if condition.values.contains(value) { return true }
        return isOpen(condition.setting) && !isKnown(value, of: condition.setting)
    }

    /// Whether the values listed in rules are not all that there can be.
    private func isOpen(_ name: String) -> Bool { descriptor.setting(name)?.kind != .boolean }

    private func isKnown(_ value: JSONValue, of name: String) -> Bool {
        descriptor.conditionValues(of: name).contains(value)
    }
}

extension BridgeDescriptor {
    /// The names of settings that rules depend on and whose values are not all listed in them.
    var openConditionSettings: [String] {
        settings.filter { $0.kind != .boolean && !conditionValues(of: $0.name).isEmpty }.map(\.name)
    }

    /// Every value of a setting that some rule knows.
    func conditionValues(of name: String) -> [JSONValue] {
        sources.values.joined().flatMap { rule -> [JSONValue] in
            guard case .when(let conditions, _) = rule else { return [] }
            return conditions.filter { $0.setting.isSame(as: name) }.flatMap(\.values)
        }
    }
}

/// Where pages send their violations.
enum ReportingEndpoint {
    static let name = "bridgehost"

    static func path(tenant: String, bridge: String) -> String { "/reports/\(tenant)/\(bridge)" }

    /// The value of `Reporting-Endpoints`.
    static func text(path: String) -> String { "\(name)=\"\(path)\"" }
}
