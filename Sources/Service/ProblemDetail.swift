internal import HTTP
internal import JSON

/// An error as clients get it (RFC 9457); its words are fixed, so nothing of a request comes back in it.
enum ProblemDetail: Int, CaseIterable {
    case malformedRequest
    case malformedPath
    case notFound
    case methodNotAllowed
    case requestTimeout
    case preconditionFailed
    case contentTooLarge
    case targetTooLong
    case unknownExpectation
    case misdirected
    case headTooLarge
    case unknownMethod
    case unsupportedVersion
    case plainOnTLS
    case secureOnly
    case malformedReport
    case unsupportedMediaType

    init(_ rejection: Rejection) {
        switch rejection {
        case .targetTooLong: self = .targetTooLong
        case .headTooLarge: self = .headTooLarge
        case .contentTooLarge: self = .contentTooLarge
        case .unknownMethod, .unknownTransferCoding: self = .unknownMethod
        case .unsupportedVersion: self = .unsupportedVersion
        case .unknownExpectation: self = .unknownExpectation
        case .timedOut: self = .requestTimeout
        case .plainOnTLS: self = .plainOnTLS
        case .malformedRequestLine, .malformedLineEnd, .malformedField, .malformedFieldValue, .malformedTarget,
            .malformedHost, .malformedContentLength, .malformedTransferEncoding, .malformedChunk:
            self = .malformedRequest
        }
    }

    var status: Status {
        switch self {
        case .malformedRequest, .malformedPath, .plainOnTLS, .malformedReport: .badRequest
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .requestTimeout: .requestTimeout
        case .preconditionFailed: .preconditionFailed
        case .contentTooLarge: .contentTooLarge
        case .targetTooLong: .uriTooLong
        case .unknownExpectation: .expectationFailed
        case .misdirected: .misdirectedRequest
        case .headTooLarge: .requestHeaderFieldsTooLarge
        case .unknownMethod: .notImplemented
        case .unsupportedVersion: .httpVersionNotSupported
        case .secureOnly: .forbidden
        case .unsupportedMediaType: .unsupportedMediaType
        }
    }

    private var detail: String {
        switch self {
        case .malformedRequest: "The request is not well-formed HTTP/1.1."
        case .malformedPath: "The path is malformed, or could be read in more than one way."
        case .notFound: "Nothing is served here. Check tenant, bridge and page in the URL."
        case .methodNotAllowed: "The Allow field says which methods this resource has."
        case .requestTimeout: "The request did not arrive in time."
        case .preconditionFailed: "The representation has another entity tag than If-Match says."
        case .contentTooLarge: "The content is larger than this service reads."
        case .targetTooLong: "The request target is longer than this service reads."
        case .unknownExpectation: "Only 100-continue can be expected."
        case .misdirected: "This host is not served here, or not over this connection."
        case .headTooLarge: "The header section is larger than this service reads."
        case .unknownMethod: "The method or transfer coding is not known."
        case .unsupportedVersion: "Only HTTP/1.0 and HTTP/1.1 are spoken here."
        case .plainOnTLS: "This port speaks TLS. Use https."
        case .secureOnly: "This is served over https alone."
        case .malformedReport: "The content is no report of a policy violation."
        case .unsupportedMediaType: "The content is of a kind that this resource does not take."
        }
    }

    var content: [UInt8] {
        let value: JSONValue = [
            "type": "about:blank",
            "title": .string(status.reason),
            "status": .integer(Int(status.rawValue)),
            "detail": .string(detail),
        ]
        return value.bytes
    }
}
