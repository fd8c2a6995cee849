/// What browsers need so that pages of other origins may read an answer (Fetch, CORS protocol).
enum CrossOrigin {
    /// Seconds that a browser keeps the answer to a preflight; Chromium keeps none longer than two hours.
    private static let maximumAge = 7_200

    /// For answers that a page of that origin reads.
    static func fields(allowing origin: [UInt8]) -> [(name: String, value: String)] {
        [allow(origin), (name: "Access-Control-Expose-Headers", value: "ETag, X-Request-ID")]
    }

    /// For the answer to a preflight of a page of that origin.
    static func preflightFields(allowing origin: [UInt8]) -> [(name: String, value: String)] {
        [
            allow(origin),
            (name: "Access-Control-Allow-Methods", value: "GET, HEAD"),
            (name: "Access-Control-Allow-Headers", value: "If-None-Match"),
            (name: "Access-Control-Max-Age", value: "\(maximumAge)"),
            (name: "Vary", value: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"),
        ]
    }

    private static func allow(_ origin: [UInt8]) -> (name: String, value: String) {
        (name: "Access-Control-Allow-Origin", value: String(decoding: origin, as: UTF8.self))
    }
}
