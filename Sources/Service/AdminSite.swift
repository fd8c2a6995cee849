internal import HTTP
internal import JSON
internal import Synchronization

/// Whether the service wants requests: not before it serves, and not from the moment that it drains.
public final class Readiness: Sendable {
    /// How far the service has come.
    enum State: String {
        case starting
        case ready
        case draining
    }

    private let isWanted = Atomic<Bool>(false)
    private let wasWanted = Atomic<Bool>(false)

    init() {}

    /// Whether requests are wanted.
    public var isReady: Bool {
        get { isWanted.load(ordering: .relaxed) }
        set {
            isWanted.store(newValue, ordering: .relaxed)
            if newValue { wasWanted.store(true, ordering: .relaxed) }
        }
    }

    var state: State { isReady ? .ready : wasWanted.load(ordering: .relaxed) ? .draining : .starting }
}

/// What the admin listener tells that changes while one catalog is served.
struct AdminSources: Sendable {
    let readiness: Readiness
    var status = ReloadStatus()
    var metrics: [any MetricsSource] = []
}

/// What the admin listener answers, for any host name: probes know only an address.
struct AdminSite: Sendable {
    let live: PreparedResponse
    let tenants: PreparedResponse
    let sources: AdminSources

    func respond(
        to head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        _ face: Face,
        _ store: ResponseStore,
        into writer: inout ResponseWriter
    ) {
        if head.isForService { return writer.write(face.options[Methods.reading.rawValue], from: store) }
        if head.method == .connect || head.method == .trace {
            return writer.write(face.notAllowed[Methods.reading.rawValue], from: store)
        }
        let path = String(decoding: bytes.array(head.path), as: UTF8.self)
        let prepared = prepared(for: path)
        guard prepared != nil || path == "/metrics" || path == "/readyz" else {
            return writer.write(face.problems[ProblemDetail.notFound.rawValue], from: store)
        }
        if head.method == .options { return writer.write(face.options[Methods.reading.rawValue], from: store) }
        guard head.method == .get || head.method == .head else {
            return writer.write(face.notAllowed[Methods.reading.rawValue], from: store)
        }
        guard let prepared else {
            return path == "/readyz" ? writeReadiness(into: &writer) : writeMetrics(into: &writer)
        }
        writer.write(prepared, from: store)
    }

    private func writeReadiness(into writer: inout ResponseWriter) {
        let state = sources.readiness.state
        writer.write(
            state == .ready ? .ok : .serviceUnavailable,
            fields: AnswerFields.unstored(type: "application/json", isSecure: false),
            content: sources.status.readiness(state).bytes
        )
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
        case "/tenants": tenants
        default: nil
        }
    }
}
