internal import JSON

/// Makes a tenant's pages and answers from its draft.
struct TenantRenderer {
    /// The pages' templates by bridge.
    let templates: [String: PageTemplate]
    let publicBaseURL: String?
    let revisionSalt: String
    /// Whether bridges keep why their policies allow what they do.
    let explains: Bool

    /// All of it that another load may have otherwise.
    var context: LoadMemory.RenderContext {
        LoadMemory.RenderContext(
            templates: templates.mapValues(\.fingerprint),
            publicBaseURL: publicBaseURL,
            revisionSalt: revisionSalt,
            explains: explains
        )
    }

    func render(_ draft: TenantDraft, edition: Int = 0) -> Tenant {
        Tenant(
            name: draft.name,
            hosts: draft.hosts.map(\.name),
            access: draft.access,
            bridges: draft.bridges.map { render($0, of: draft) },
            edition: edition
        )
    }

    private func render(_ bridge: TenantBridgeDraft, of tenant: TenantDraft) -> TenantBridge {
        let configuration = JSONValue.object(bridge.config.map { (name: $0.key, value: $0.value) })
        let template = templates[bridge.descriptor.name]
        let policies = template.map { makePolicies(of: bridge, tenant: tenant.name, template: $0) }
        let url = template.flatMap { pageURL(of: $0.name, tenant: tenant) }
        let data = dataMembers(of: bridge, tenant: tenant.name, configuration: configuration)
        let revision = Revision.of([
            Array(revisionSalt.utf8),
            template?.fingerprint ?? [],
            JSONValue.object(data).bytes,
            Array((url ?? "").utf8),
            Array((policies?.enforced ?? "").utf8),
            Array((policies?.reportOnly ?? "").utf8),
            Array((policies?.permissions ?? "").utf8),
        ])
        return TenantBridge(
            name: bridge.descriptor.name,
            enabled: bridge.isEnabled,
            notice: bridge.notice,
            revision: revision,
            pageURL: url,
            page: template.flatMap { template in
                policies.map { page(template, data: data, revision: revision, policies: $0) }
            },
            explanation: explains
                ? template.map { PolicyExplanation(of: bridge, tenant: tenant.name, template: $0) } : nil,
            configuration: configuration,
            identity: bridge.identity
        )
    }

    // MARK: Page

    private func page(
        _ template: PageTemplate,
        data: [(name: String, value: JSONValue)],
        revision: String,
        policies: Policies
    ) -> Page {
        Page(
            name: template.name,
            head: template.head,
            data: JSONValue.object(data + [("revision", .string(revision))]).bytes,
            tail: template.tail,
            contentSecurityPolicy: policies.enforced,
            reportOnlyPolicy: policies.reportOnly,
            permissionsPolicy: policies.permissions,
            reportPath: policies.reportPath
        )
    }

    /// What the page's script reads, but for the revision, which is a hash of it.
    private func dataMembers(
        of bridge: TenantBridgeDraft,
        tenant: String,
        configuration: JSONValue
    ) -> [(name: String, value: JSONValue)] {
        let overridable = bridge.descriptor.settings.filter(\.isNative).map { JSONValue.string($0.name) }
        var members: [(name: String, value: JSONValue)] = [
            ("tenant", .string(tenant)),
            ("bridge", .string(bridge.descriptor.name)),
            ("enabled", .bool(bridge.isEnabled)),
            ("config", configuration),
            ("overridable", .array(overridable)),
            ("autoStart", .bool(bridge.autoStart)),
            ("startTimeoutSeconds", .integer(bridge.startTimeoutSeconds)),
        ]
        if let native = bridge.descriptor.native { members.append(("native", native)) }
        if bridge.reportsViolations { members.append(("reportViolations", .bool(true))) }
        if let notice = bridge.notice { members.append(("notice", .string(notice))) }
        return members
    }

    private func pageURL(of page: String, tenant: TenantDraft) -> String? {
        if let host = tenant.hosts.first { return "https://\(host.name)/\(page)" }
        guard let publicBaseURL else { return nil }
        let base = publicBaseURL.utf8.last == UInt8(ascii: "/") ? String(publicBaseURL.dropLast()) : publicBaseURL
        return "\(base)/\(tenant.name)/\(page)"
    }

    // MARK: Policies

    private struct Policies {
        let enforced: String
        let reportOnly: String?
        let permissions: String
        let reportPath: String
    }

    private func makePolicies(of bridge: TenantBridgeDraft, tenant: String, template: PageTemplate) -> Policies {
        let builder = PolicyBuilder(descriptor: bridge.descriptor, config: bridge.config)
        let path = ReportingEndpoint.path(tenant: tenant, bridge: bridge.descriptor.name)
        let text = { (sources: [Directive: [String]]) in
            builder.policy(template: template, tenantSources: sources, reportPath: path).text
        }
        return Policies(
            enforced: text(bridge.sources),
            reportOnly: bridge.reportOnlySources.map(text),
            permissions: builder.permissionsPolicy(),
            reportPath: path
        )
    }
}
