/// Everything that requests are answered from, as it was at one load; a reload makes a new one.
public struct Catalog: Sendable {
    /// The tenants that are served, sorted by the bytes of their names.
    public let tenants: [Tenant]
    /// The bridges that tenants can have, sorted likewise.
    public let bridges: [BridgeDescriptor]
    /// Which edition of the bridges' files it is; others have others.
    public let bridgesEdition: Int
    /// What shows a page to the developer of an app; nil unless it was asked for.
    public let inspector: Inspector?

    /// The bridge of that name.
    public func bridge(_ name: String) -> BridgeDescriptor? {
        bridges.first { $0.name.isSame(as: name) }
    }

    /// The tenant of that name.
    public func tenant(_ name: String) -> Tenant? {
        var range = tenants.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if tenants[middle].name.isSame(as: name) { return tenants[middle] }
            range = tenants[middle].name.precedes(name) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
