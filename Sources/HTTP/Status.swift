/// A status code that we send (RFC 9110 §15).
public enum Status: UInt16, CaseIterable, Sendable {
    /// Continue.
    case `continue` = 100
    /// OK.
    case ok = 200
    /// No Content.
    case noContent = 204
    /// Not Modified.
    case notModified = 304
    /// Permanent Redirect.
    case permanentRedirect = 308
    /// Bad Request.
    case badRequest = 400
    /// Unauthorized.
    case unauthorized = 401
    /// Forbidden.
    case forbidden = 403
    /// Not Found.
    case notFound = 404
    /// Method Not Allowed.
    case methodNotAllowed = 405
    /// Request Timeout.
    case requestTimeout = 408
    /// Conflict.
    case conflict = 409
    /// Length Required.
    case lengthRequired = 411
    /// Precondition Failed.
    case preconditionFailed = 412
    /// Content Too Large.
    case contentTooLarge = 413
    /// URI Too Long.
    case uriTooLong = 414
    /// Unsupported Media Type.
    case unsupportedMediaType = 415
    /// Expectation Failed.
    case expectationFailed = 417
    /// Misdirected Request.
    case misdirectedRequest = 421
    /// Unprocessable Content.
    case unprocessableContent = 422
    /// Too Many Requests.
    case tooManyRequests = 429
    /// Request Header Fields Too Large.
    case requestHeaderFieldsTooLarge = 431
    /// Not Implemented.
    case notImplemented = 501
    /// Service Unavailable.
    case serviceUnavailable = 503
    /// HTTP Version Not Supported.
    case httpVersionNotSupported = 505

    /// The words of RFC 9110 for it.
    public var reason: String {
        switch self {
        case .continue: "Continue"
        case .ok: "OK"
        case .noContent: "No Content"
        case .notModified: "Not Modified"
        case .permanentRedirect: "Permanent Redirect"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .requestTimeout: "Request Timeout"
        case .conflict: "Conflict"
        case .lengthRequired: "Length Required"
        case .preconditionFailed: "Precondition Failed"
        case .contentTooLarge: "Content Too Large"
        case .uriTooLong: "URI Too Long"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .expectationFailed: "Expectation Failed"
        case .misdirectedRequest: "Misdirected Request"
        case .unprocessableContent: "Unprocessable Content"
        case .tooManyRequests: "Too Many Requests"
        case .requestHeaderFieldsTooLarge: "Request Header Fields Too Large"
        case .notImplemented: "Not Implemented"
        case .serviceUnavailable: "Service Unavailable"
        case .httpVersionNotSupported: "HTTP Version Not Supported"
        }
    }
}
