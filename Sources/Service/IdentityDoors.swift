internal import Bridges
internal import HTTP

/// Where paths of the form of an identity's lead to that are no bridge's: to doors that tell nobody so.
///
/// They are looked up only when the table of paths has nothing.
struct IdentityDoors: Sendable {
    /// By a tenant's path of bridges: the door of all bridges that it does not have.
    private let roots: ByteTable
    /// The door of tenants that do not exist.
    private let closed: Int
    /// The scopes whose paths name a tenant.
    private let sharedScopes: Set<Int>

    init(_ roots: [ByteTable.Entry], closed: Int, sharedScopes: Set<Int> = [0]) {
        self.roots = ByteTable(roots)
        self.closed = closed
        self.sharedScopes = sharedScopes
    }

    /// With the longest names there can be; what is longer need not be taken apart.
    private static let longestPath = 256

    /// The endpoint of a path that is `ROOT/{bridge}/identity`.
    func endpoint(_ bytes: Span<UInt8>, _ path: ByteRange, scope: Int) -> Int? {
        guard path.length <= Self.longestPath else { return nil }
        let segments = bytes.array(path).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.count > 2, segments[segments.count - 1].elementsEqual("identity".utf8),
            !segments[segments.count - 2].isEmpty
        else { return nil }
        let root = Array(segments.dropLast(2).joined(separator: [UInt8(ascii: "/")]))
        if let door = roots.value(root.span, ByteRange(0, root.count), scope: scope) { return door }
        return sharedScopes.contains(scope) && Self.isTenantRoot(segments.dropLast(2)) ? closed : nil
    }

    /// Whether it is `/api/v1/tenants/{tenant}/bridges` with a name that a tenant could have.
    private static func isTenantRoot(_ segments: ArraySlice<ArraySlice<UInt8>>) -> Bool {
        segments.count == 6 && Tenant.isName(String(decoding: segments[4], as: UTF8.self))
            && zip(segments, ["", "api", "v1", "tenants", nil, "bridges"]).allSatisfy { segment, word in
                word.map { segment.elementsEqual($0.utf8) } ?? true
            }
    }
}
