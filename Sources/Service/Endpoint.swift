internal import HTTP
internal import Server

/// What a path leads to.
enum Endpoint: Sendable {
    /// A page's prepared answers, by the index of that without a content coding.
    case page(Int)
    /// Prepared JSON, by the same.
    case data(Int)
    /// A handler of POST, by its index.
    case handler(Int)

    var methods: Methods {
        switch self {
        case .page, .data: .reading
        case .handler: .posting
        }
    }
}

/// The methods that an endpoint has.
enum Methods: Int, CaseIterable {
    /// Those of what is prepared.
    case reading
    /// Those of what is made for each request.
    case posting
    /// Those of the service as a whole (RFC 9110 §9.3.7).
    case any

    /// As the Allow field lists them.
    var allow: String {
        switch self {
        case .reading: "GET, HEAD, OPTIONS"
        case .posting: "POST, OPTIONS"
        case .any: "GET, HEAD, POST, OPTIONS"
        }
    }
}

/// Answers POST requests to one endpoint; it runs on the workers' threads and must not block.
protocol Handler: Sendable {
    /// Writes the answer, or says which problem is the answer.
    func respond(
        to head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        content: Content,
        on connection: borrowing ConnectionFacts,
        isSecure: Bool,
        into writer: inout ResponseWriter
    ) -> ProblemDetail?
}
