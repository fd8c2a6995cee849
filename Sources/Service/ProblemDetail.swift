internal import HTTP
internal import JSON

/// An error as clients get it (RFC 9457); its words are fixed, so nothing of a request comes back in it.
enum ProblemDetail: Int, CaseIterable, Error {
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
    case lengthRequired
    case malformedReport
    case unsupportedMediaType
    case notForBrowsers
    case unauthenticated
    case invalidToken
    case tooManyFailures
    case tooManyRequests
    case noSecret
    case unsupportedType
    case unsupportedCoding
    case malformedQuery
    case notJSON
    case repeatedName
    case notAnObject
    case unknownName
    case missingID
    case idNotText
    case emptyID
    case idTooLong
    case loneSurrogate
    case unknownKey

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
        case .malformedRequest, .malformedPath, .plainOnTLS, .malformedReport, .malformedQuery, .notJSON, .repeatedName:
            .badRequest
        case .notFound, .unknownKey: .notFound
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
        case .secureOnly, .notForBrowsers: .forbidden
        case .unauthenticated, .invalidToken: .unauthorized
        case .tooManyFailures, .tooManyRequests: .tooManyRequests
        case .noSecret: .conflict
        case .lengthRequired: .lengthRequired
        case .unsupportedMediaType, .unsupportedType, .unsupportedCoding: .unsupportedMediaType
        case .notAnObject, .unknownName, .missingID, .idNotText, .emptyID, .idTooLong, .loneSurrogate:
            .unprocessableContent
        }
    }

    /// What can have it.
    var scope: Scope {
        switch self {
        case .malformedRequest, .malformedPath, .notFound, .methodNotAllowed, .requestTimeout, .contentTooLarge,
            .targetTooLong, .unknownExpectation, .misdirected, .headTooLarge, .unknownMethod, .unsupportedVersion,
            .plainOnTLS, .secureOnly:
            .everything
        case .preconditionFailed: .representations
        case .lengthRequired, .notForBrowsers, .unauthenticated, .invalidToken, .tooManyFailures, .tooManyRequests,
            .noSecret, .unsupportedType, .malformedQuery, .notJSON, .repeatedName, .notAnObject, .unknownName,
            .missingID,
            .idNotText, .emptyID, .idTooLong, .loneSurrogate, .unknownKey, .unsupportedCoding:
            .identities
        case .malformedReport, .unsupportedMediaType: .reports
        }
    }

    /// What a problem belongs to.
    enum Scope {
        /// Every request.
        case everything
        /// Requests for what is prepared.
        case representations
        /// Requests for identities.
        case identities
        /// Reports of policy violations.
        case reports
    }

    var detail: String {
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
        case .lengthRequired: "The request has neither Content-Length nor chunks, so it has no content."
        case .malformedReport: "The content is no report of a policy violation."
        case .unsupportedMediaType: "The content is of a kind that this resource does not take."
        case .notForBrowsers:
            "Identities are signed for backends alone; a request with an Origin field comes from none."
        case .unauthenticated: "A bearer token of this tenant is needed."
        case .invalidToken: "The bearer token is none of this tenant's."
        case .tooManyFailures: "Too many requests without a valid token came from this address."
        case .tooManyRequests: "Too many requests came for this tenant or from this address."
        case .noSecret: "The tenant has no secret to sign with yet."
        case .unsupportedType: "The content must be application/json, in UTF-8."
        case .unsupportedCoding: "The content must be sent without a content coding."
        case .malformedQuery: "The query is something else than one kid."
        case .notJSON: "The content is not JSON."
        case .repeatedName: "The content has a name twice, so that nobody can say which value counts."
        case .notAnObject: "The content is JSON, but no object."
        case .unknownName: "The object must have the id's field and no other."
        case .missingID: "The object has no id."
        case .idNotText: "The id is no string."
        case .emptyID: "The id is empty; anonymous visitors need no signature."
        case .idTooLong: "The id is longer than 512 bytes of UTF-8."
        case .loneSurrogate: "The content has half of a surrogate pair, which no UTF-8 can carry."
        case .unknownKey: "The tenant has no key of that kid for this bridge."
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
