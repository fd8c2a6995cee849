/// The directives that our policies use, in the order in which they are written.
public enum Directive: String, CaseIterable, Sendable {
    /// What the others fall back to.
    case defaultSrc = "default-src"
    /// Scripts.
    case scriptSrc = "script-src"
    /// Styles.
    case styleSrc = "style-src"
    /// Requests and web sockets.
    case connectSrc = "connect-src"
    /// Pictures.
    case imgSrc = "img-src"
    /// Sound and video.
    case mediaSrc = "media-src"
    /// Fonts.
    case fontSrc = "font-src"
    /// Frames within the page.
    case frameSrc = "frame-src"
    /// Workers.
    case workerSrc = "worker-src"
    /// The web app manifest.
    case manifestSrc = "manifest-src"
    /// What `base` may point at.
    case baseURI = "base-uri"
    /// Plug-ins.
    case objectSrc = "object-src"
    /// Where forms may go.
    case formAction = "form-action"
    /// Who may frame the page.
    case frameAncestors = "frame-ancestors"
    /// Where violations are reported (every engine).
    case reportURI = "report-uri"
    /// Which reporting endpoint takes them (newer engines).
    case reportTo = "report-to"

    /// What a descriptor may add sources to.
    static let ofDescriptors: [Directive] = [
        .scriptSrc, .styleSrc, .connectSrc, .imgSrc, .mediaSrc, .fontSrc, .frameSrc, .workerSrc, .manifestSrc,
        .formAction,
        .frameAncestors,
    ]

    /// What a tenant may add sources to.
    static let ofTenants: [Directive] = [
        .styleSrc, .connectSrc, .imgSrc, .mediaSrc, .fontSrc, .frameSrc, .frameAncestors,
    ]

    /// What has no meaning in a `meta` element (CSP3 §3.3); `report-to` needs a field that names its endpoint.
    static let ofFieldsAlone: [Directive] = [.frameAncestors, .reportURI, .reportTo]

    /// The directive of that name among `allowed`.
    static func named(_ name: String, among allowed: [Directive]) -> Directive? {
        allowed.first { $0.rawValue.isSame(as: name) }
    }
}
