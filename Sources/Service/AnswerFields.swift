/// The fields of each kind of answer, for those who prepare answers and for the API's own description.
enum AnswerFields {
    typealias Fields = [(name: String, value: String)]

    static let varyOfConfig = "Origin, Accept-Encoding"

    /// Of what can be kept if it is asked for again each time, and of its 304.
    static func ofRepresentation(vary: String) -> Fields {
        [(name: "Cache-Control", value: "no-cache"), (name: "Vary", value: vary)]
    }

    static func ofOptions(_ methods: Methods, isSecure: Bool) -> Fields {
        [allow(methods)] + SecurityFields.ofData(isSecure: isSecure)
    }

    static func ofIdentity(isSecure: Bool) -> Fields { unstored(type: "application/json", isSecure: isSecure) }

    /// How long to wait depends on how much is allowed.
    static func of(
        _ problem: ProblemDetail,
        allowing methods: Methods,
        _ rates: IdentityRates,
        isSecure: Bool
    ) -> Fields {
        unstored(type: "application/problem+json", isSecure: isSecure) + own(problem, methods, rates)
    }

    /// Of what nobody may keep.
    static func unstored(type: String, isSecure: Bool) -> Fields {
        [(name: "Content-Type", value: type), (name: "Cache-Control", value: "no-store")]
            + SecurityFields.ofData(isSecure: isSecure)
    }

    private static func own(_ problem: ProblemDetail, _ methods: Methods, _ rates: IdentityRates) -> Fields {
        let challenge = "Bearer realm=\"bridgehost\""
        return switch problem {
        case .methodNotAllowed: [allow(methods)]
        // RFC 9110 §12.5.3: it says that the coding is at fault, so no other 415 has it.
        case .unsupportedCoding: [(name: "Accept-Encoding", value: "identity")]
        case .unauthenticated: [(name: "WWW-Authenticate", value: challenge)]
        case .invalidToken: [(name: "WWW-Authenticate", value: challenge + ", error=\"invalid_token\"")]
        case .tooManyFailures: [(name: "Retry-After", value: "\(rates.failuresPerAddress.retryAfter)")]
        case .tooManyRequests:
            [(name: "Retry-After", value: "\(max(rates.perTenant.retryAfter, rates.perAddress.retryAfter))")]
        default: []
        }
    }

    private static func allow(_ methods: Methods) -> (name: String, value: String) {
        (name: "Allow", value: methods.allow)
    }
}
