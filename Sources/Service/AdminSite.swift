internal import HTTP
internal import Synchronization

/// Whether the service wants requests: false before it serves and from the moment that it drains.
public final class Readiness: Sendable {
    private let value = Atomic<Bool>(false)

    init() {}

    /// Whether requests are wanted.
    public var isReady: Bool {
        get { value.load(ordering: .relaxed) }
        set { value.store(newValue, ordering: .relaxed) }
    }
}

/// What the admin listener tells that changes while one catalog is served.
struct AdminSources: Sendable {
    let readiness: Readiness
    var metrics: [any MetricsSource] = []
}

/// What the admin listener answers, for any host name: probes know only an address.
struct AdminSite: Sendable {
    let live: PreparedResponse
    let ready: PreparedResponse
    let notReady: PreparedResponse
    let tenants: PreparedResponse
    let sources: AdminSources

    func respond(
        to head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        _ face: Face,
        _ store: ResponseStore,
        into writer: inout ResponseWriter
    ) {
        let path = String(decoding: bytes.array(head.path), as: UTF8.self)
        let prepared = prepared(for: path)
        guard prepared != nil || path == "/metrics" else {
            return writer.write(face.problems[ProblemDetail.notFound.rawValue], from: store)
        }
        if head.method == .options { return writer.write(face.options[Methods.reading.rawValue], from: store) }
        guard head.method == .get || head.method == .head else {
            return writer.write(face.notAllowed[Methods.reading.rawValue], from: store)
        }
        guard let prepared else { return writeMetrics(into: &writer) }
        writer.write(prepared, from: store)
    }

    private func writeMetrics(into writer: inout ResponseWriter) {
        var metrics = MetricsWriter()
        for source in sources.metrics { source.write(into: &metrics) }
        writer.write(
            .ok,
            fields: [
                (name: "Content-Type", value: MetricsWriter.contentType), (name: "Cache-Control", value: "no-store"),
            ] + SecurityFields.ofData(isSecure: false),
            content: Array(metrics.text.utf8)
        )
    }

    private func prepared(for path: String) -> PreparedResponse? {
        switch path {
        case "/livez": live
        case "/readyz": sources.readiness.isReady ? ready : notReady
        case "/tenants": tenants
        default: nil
        }
    }
}
