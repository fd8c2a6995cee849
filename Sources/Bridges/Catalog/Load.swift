public import JSON

/// What a load came to.
public struct Load: Sendable {
    /// The new catalog; nil when a descriptor or a page is broken, so that a reload keeps the one it has.
    public let catalog: Catalog?
    /// All that was found, in the order of the files.
    public let problems: [Problem]
    /// The tenants that are not served because of their files, sorted.
    public let leftOut: [String]
    /// The tenants that are served as they were in the previous catalog because of their files, sorted.
    public let kept: [String]
}
