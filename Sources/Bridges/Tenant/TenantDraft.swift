internal import JSON

/// A tenant's file after reading, before its pages are made and its hosts are granted.
struct TenantDraft {
    let name: String
    let hosts: [Host]
    let access: Access
    let bridges: [TenantBridgeDraft]

    /// A host with the place that claims it.
    struct Host {
        let name: String
        let place: Place
    }
}

/// A tenant's entry of one bridge.
struct TenantBridgeDraft {
    let descriptor: BridgeDescriptor
    /// The effective values: the tenant's over the defaults.
    let config: [String: JSONValue]
    let sources: [Directive: [String]]
    /// What takes the place of `sources` in the policy that is tried: those, but for the directives that it names.
    let reportOnlySources: [Directive: [String]]?
    let isEnabled: Bool
    let notice: String?
    let autoStart: Bool
    /// Whether the page tells the app what its policy blocked.
    let reportsViolations: Bool
    let startTimeoutSeconds: Int
    let identity: TenantIdentity?

    static let defaultStartTimeout = 30
    static let startTimeouts = 1...600
}
