public import JSON

/// A source that a page's policy allows, and why.
public struct PolicyGrant: Sendable {
    /// Who or what put it there.
    public enum Reason: Sendable {
        /// It stands in every page's policy.
        case everyPage
        /// The page's own file: the hash of an inline script or style.
        case page
        /// The descriptor, whatever the settings are.
        case descriptor
        /// The descriptor, since these settings have these values.
        case values([Value])
        /// The tenant's file.
        case tenant
    }

    /// A setting with its effective value, nil if it has none.
    public struct Value: Sendable {
        /// The setting's name.
        public let setting: String
        /// Its value.
        public let value: JSONValue?
    }

    /// Where it counts.
    public let directive: Directive
    /// As it is written.
    public let source: String
    /// Why it is there.
    public let reason: Reason

    init(_ source: String, in directive: Directive, because reason: Reason) {
        self.directive = directive
        self.source = source
        self.reason = reason
    }
}

/// A browser feature that the descriptor knows, and whether the page may use it.
public struct PermissionGrant: Sendable {
    /// Its name.
    public let feature: String
    /// The origins that may have it beside the page itself.
    public let origins: [String]
    /// Whether it is switched on.
    public let isGranted: Bool
    /// What decides that.
    public let reason: PolicyGrant.Reason
}

/// All that a page's policies allow, with the reasons.
public struct PolicyExplanation: Sendable {
    /// The policy that counts.
    public let enforced: [PolicyGrant]
    /// The one that is only tried, if there is one.
    public let tried: [PolicyGrant]?
    /// The browser features that the descriptor knows; all others are denied.
    public let permissions: [PermissionGrant]
    /// Directives that allow nothing unless something is granted.
    public static let closed: [Directive] = Directive.allCases.filter { Policy.locked.sources(of: $0) != nil }
}
