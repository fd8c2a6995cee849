internal import Crypto
internal import HTTP

/// A resource's answers to GET and HEAD in one content coding.
struct Representation: Sendable {
    let ok: PreparedResponse
    let notModified: PreparedResponse
}

/// All answers of one kind of listener; their fields differ, their contents are shared.
struct Face: Sendable {
    /// For each resource its representation without a content coding, then that with gzip; for one that other origins may
    /// read, the same two again for each of them.
    var representations: [Representation] = []
    /// Answers to preflights, by list of origins and origin.
    var preflights: [[PreparedResponse]] = [[]]
    /// By the order of ``ProblemDetail``'s cases.
    var problems: [PreparedResponse] = []
    /// By the order of ``Methods``' cases.
    var options: [PreparedResponse] = []
    var notAllowed: [PreparedResponse] = []
}

/// A host name that is served: which paths it has, and which certificates cover it.
struct Host: Sendable {
    let scope: Int
    let certificates: [Certificate]

    /// Whether a certificate covers it; one of before a reload is none of these, and is asked itself.
    func isCovered(by certificate: Certificate, _ bytes: Span<UInt8>, _ name: ByteRange) -> Bool {
        if certificates.contains(where: { $0 === certificate }) { return true }
        return certificate.covers(host: String(decoding: bytes.array(name), as: UTF8.self))
    }
}

/// Where paths lead to: those of the service's own hosts are scope 0, each tenant's hosts have one of their own.
struct Routes: Sendable {
    var hostTable = ByteTable([])
    var hosts: [Host] = []
    /// The service's own host: what a request without any means.
    var ownHost = ""
    var paths = ByteTable([])
    /// What the values of the tables stand for.
    var endpoints: [Endpoint] = []
    /// What the answers of each are counted under.
    var labels: [Int] = []
    /// The same of what is answered in a scope without an endpoint.
    var scopeLabels = [0]
    var handlers: [any Handler] = []
    var doors = IdentityDoors([], closed: 0)
    /// Lists of origins that may read config, the first without any.
    var origins: [[[UInt8]]] = [[]]
}
