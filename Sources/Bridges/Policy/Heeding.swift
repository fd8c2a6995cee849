// Which engines do what a policy's part says. Versions are those of the vendors' compatibility tables; web views follow
// their system: WKWebView is Safari, Android's web view is Chrome.

extension PolicyGrant {
    /// Which engines heed this source, for people.
    public var heeding: String {
        switch directive {
        case .scriptSrc where source.isSame(as: "'strict-dynamic'"): "Safari from 15.4, Chrome"
        case .scriptSrc where !source.hasPrefix("'"): "only Safari before 15.4: 'strict-dynamic' replaces hosts"
        case .styleSrc where source.hasPrefix("'sha"): "all; of inline styles only these"
        case .workerSrc: "Safari from 15.5, Chrome"
        case .manifestSrc: "Safari from 15.4, Chrome"
        case .connectSrc where source.hasPrefix("wss:"): "all; https alone does not allow it"
        case .frameAncestors: "all, where the page is framed; an app's web view frames nothing"
        case .reportURI: "those that do not know report-to"
        case .reportTo: "Safari from 16.4, Chrome"
        default: Self.everywhere
        }
    }

    /// For what no engine differs in.
    public static let everywhere = "all"
}

extension PermissionGrant {
    /// Which engines heed the Permissions-Policy field.
    public static let heeding = "Chrome; on iOS the app decides"
}
