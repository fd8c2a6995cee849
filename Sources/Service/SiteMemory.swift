internal import HTTP
internal import Server

/// A part of a site, prepared by itself, that later sites have as it is.
struct SitePart {
    let store: ResponseStore
    let secure: Face
    let plain: Face
    let endpoints: [Endpoint]
    /// Whom each endpoint's answers belong to; the numbers outlive all sites.
    let labels: [Int]
    let handlers: [any Handler]
    let origins: [[[UInt8]]]
    /// Its paths, by the indices of its own endpoints.
    let paths: [SiteBuilder.Path]
    /// The door of all bridges that a tenant does not have; 0 of what is no tenant.
    var door: SiteBuilder.Path = ("", 0)
    /// A tenant as the admin's list has it.
    var listed: [UInt8] = []
}

/// The parts of the site that is served, so that the next one prepares only what changed; for the loading thread alone.
final class SiteMemory {
    var tenants: [String: (edition: Int, part: SitePart)] = [:]
    /// The API's descriptions of one edition of bridges, by what they tell of.
    var descriptions: (edition: Int, parts: [[String]: SitePart]) = (0, [:])
}

extension SiteBuilder {
    /// What was added to it, as a part of another; the builder has no more use.
    consuming func part(_ paths: [Path], door: Path = ("", 0), listed: [UInt8] = []) -> SitePart {
        SitePart(
            store: store.finish(),
            secure: secure,
            plain: plain,
            endpoints: routes.endpoints,
            labels: routes.labels,
            handlers: routes.handlers,
            origins: routes.origins,
            paths: paths,
            door: door,
            listed: listed
        )
    }

    /// Adds a part; by how much its endpoints' indices have moved.
    mutating func append(_ part: SitePart) -> Int {
        let base = routes.endpoints.count
        let (representations, handlers) = (secure.representations.count, routes.handlers.count)
        let origins = routes.origins.count - 1
        store.include(part.store)
        secure.append(part.secure)
        plain.append(part.plain)
        routes.handlers += part.handlers
        // The first list, without origins, is everybody's.
        routes.origins += part.origins.dropFirst()
        routes.labels += part.labels
        routes.endpoints += part.endpoints.map { endpoint in
            switch endpoint {
            case .page(let index): .page(index + representations)
            case .data(let index, origins: 0): .data(index + representations, origins: 0)
            case .data(let index, let list): .data(index + representations, origins: list + origins)
            case .handler(let index): .handler(index + handlers)
            }
        }
        return base
    }
}

extension Face {
    fileprivate mutating func append(_ other: Face) {
        representations += other.representations
        preflights += other.preflights.dropFirst()
    }
}
