/// The directives whose violations are told apart: those of CSP3 that can be violated.
enum ReportedDirective: String, CaseIterable, Sendable {
    case childSrc = "child-src"
    case connectSrc = "connect-src"
    case defaultSrc = "default-src"
    case fontSrc = "font-src"
    case frameSrc = "frame-src"
    case imgSrc = "img-src"
    case manifestSrc = "manifest-src"
    case mediaSrc = "media-src"
    case objectSrc = "object-src"
    case scriptSrc = "script-src"
    case scriptSrcAttr = "script-src-attr"
    case scriptSrcElem = "script-src-elem"
    case styleSrc = "style-src"
    case styleSrcAttr = "style-src-attr"
    case styleSrcElem = "style-src-elem"
    case workerSrc = "worker-src"
    case baseURI = "base-uri"
    case formAction = "form-action"
    case frameAncestors = "frame-ancestors"
    case sandbox
    case webRTC = "webrtc"
    /// Whatever else a client may call one: its words are kept nowhere.
    case other

    /// The directive of a report's text, which in older reports has the sources after the name.
    init(reported text: String) {
        let name = text.utf8.prefix { $0 != UInt8(ascii: " ") }
        self = Self(rawValue: String(decoding: name, as: UTF8.self)) ?? .other
    }
}
