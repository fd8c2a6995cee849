internal import Crypto
internal import JSON

/// Turns a tenant's draft into what is served: config, policy, revision and page.
struct Renderer {
    /// The templates of the pages, by name.
    let templates: [String: PageTemplate]
    /// The origin of page URLs for tenants without a host.
    let publicBaseURL: String?
    /// What else answers depend on: the version of the program.
    let salt: String

    func render(_ draft: TenantDraft) -> Tenant {
        Tenant(
            name: draft.name,
            hosts: draft.hosts.map(\.name),
            access: draft.access,
            bridges: draft.bridges.map { render($0, draft) }
        )
    }

    private func render(_ bridge: TenantDraft.Bridge, _ draft: TenantDraft) -> TenantBridge {
        let descriptor = bridge.descriptor
        let config = self.config(bridge)
        let template = descriptor.page.flatMap { templates[$0] }
        let pageURL = template.flatMap { self.pageURL($0.name, draft) }
        let policies = template.map { template in
            let builder = PolicyBuilder(descriptor: descriptor, tenant: draft, config: config)
            return builder.fields(template, bridge)
        }
        let data = dataBlock(bridge, draft, config)
        let revision = self.revision([
            salt, draft.name, descriptor.name, pageURL ?? "", JSONValue.object(data).text,
            policies?.contentSecurityPolicy ?? "", policies?.reportOnlyPolicy ?? "", policies?.permissionsPolicy ?? "",
            (template?.digest ?? []).hexadecimal,
        ])
        let page = template.flatMap { template in
            policies.map { policies in
                let block = JSONValue.object(data + [(name: "revision", value: .string(revision))])
                return Page(
                    name: template.name,
                    body: template.render(data: block.bytes),
                    contentSecurityPolicy: policies.contentSecurityPolicy,
                    reportOnlyPolicy: policies.reportOnlyPolicy,
                    permissionsPolicy: policies.permissionsPolicy,
                    reportingEndpoints:
                        "\(PolicyBuilder.reportGroup)=\"\(PolicyBuilder.reportPath(draft, descriptor))\""
                )
            }
        }
        return TenantBridge(
            name: descriptor.name,
            enabled: bridge.enabled,
            revision: revision,
            pageURL: pageURL,
            page: page,
            config: config,
            secrets: bridge.secrets
        )
    }

    /// The tenant's settings over the defaults; what neither has is absent.
    private func config(_ bridge: TenantDraft.Bridge) -> JSONValue {
        .object(
            bridge.descriptor.settings.compactMap { definition in
                let own = bridge.settings.first { $0.name == definition.name }?.value
                guard let value = own ?? definition.defaultValue else { return nil }
                return (name: definition.name, value: value)
            }
        )
    }

    private func pageURL(_ page: String, _ draft: TenantDraft) -> String? {
        if let host = draft.hosts.first?.name { return "https://\(host)/\(page)" }
        return publicBaseURL.map { "\($0)/\(draft.name)/\(page)" }
    }

    private func dataBlock(
        _ bridge: TenantDraft.Bridge,
        _ draft: TenantDraft,
        _ config: JSONValue
    ) -> [(name: String, value: JSONValue)] {
        let overridable = bridge.descriptor.settings.filter(\.isNative).map { JSONValue.string($0.name) }
        var data: [(name: String, value: JSONValue)] = [
            (name: "tenant", value: .string(draft.name)),
            (name: "bridge", value: .string(bridge.descriptor.name)),
            (name: "enabled", value: .bool(bridge.enabled)),
            (name: "native", value: bridge.descriptor.native),
            (name: "config", value: config),
            (name: "overridable", value: .array(overridable)),
            (name: "autoStart", value: .bool(bridge.autoStart)),
            (name: "startTimeoutSeconds", value: .integer(bridge.startTimeoutSeconds)),
        ]
        if let notice = bridge.notice { data.append((name: "notice", value: .string(notice))) }
        return data
    }

    /// Each part with its length, so that no two lists of parts are the same bytes.
    private func revision(_ parts: [String]) -> String {
        let framed = parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }
        return String(SHA256.hash(framed).hexadecimal.prefix(16))
    }
}
