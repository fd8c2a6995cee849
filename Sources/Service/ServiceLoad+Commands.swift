public import Bridges
internal import HTTP
internal import JSON
internal import Server
internal import System

// What commands other than serve ask of a load.
extension ServiceLoad {
    /// The tenants that would be served.
    public var tenantCount: Int { catalog?.tenants.count ?? 0 }

    /// The answer to GET for a bridge's page as a TLS listener gives it now; nil if there is no such page.
    public func pageAnswer(tenant name: String, bridge bridgeName: String) -> [UInt8]? {
        guard let settings, let (tenant, page) = page(tenant: name, bridge: bridgeName),
            let peer = SocketAddress(literal: "127.0.0.1", port: 0)
        else { return nil }
        let site = self.site(settings, roles: [.secure], sources: AdminSources(readiness: Readiness()), securePort: 443)
        let host = tenant.hosts.first ?? SiteBuilder.localHosts[0]
        let path = tenant.hosts.isEmpty ? "/\(tenant.name)/\(page.name)" : "/\(page.name)"
        let request = Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
        var head = RequestHead()
        var decoder = RequestDecoder(limits: RequestLimits())
        guard case .request = decoder.next(request.span, into: &head) else { return nil }
        var writer = ResponseWriter(date: HTTPDate.format(Clock.wallSeconds))
        let connection = ConnectionFacts(listener: 0, peer: peer)
        site.respond(to: head, request.span, content: .none, on: connection, into: &writer)
        return writer.bytes
    }

    /// A bridge's page as one file for an app that ships it; nil if there is no such page.
    public func pageBundle(tenant name: String, bridge bridgeName: String) -> PageBundle? {
        page(tenant: name, bridge: bridgeName).map { PageBundle($0.page) }
    }

    private func page(tenant name: String, bridge bridgeName: String) -> (tenant: Tenant, page: Page)? {
        guard let tenant = catalog?.tenant(name) else { return nil }
        return tenant.bridges.first { $0.name == bridgeName }?.page.map { (tenant, $0) }
    }
}
