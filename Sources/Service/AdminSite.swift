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

/// What the admin listener answers, for any host name: probes know only an address.
struct AdminSite: Sendable {
    let live: PreparedResponse
    let ready: PreparedResponse
    let notReady: PreparedResponse
    let tenants: PreparedResponse
    let readiness: Readiness

    func respond(
        to head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        _ face: Face,
        _ store: ResponseStore,
        into writer: inout ResponseWriter
    ) {
        guard let response = response(to: head, bytes) else {
            return writer.write(face.problems[ProblemDetail.notFound.rawValue], from: store)
        }
        if head.method == .options { return writer.write(face.options[Methods.reading.rawValue], from: store) }
        guard head.method == .get || head.method == .head else {
            return writer.write(face.notAllowed[Methods.reading.rawValue], from: store)
        }
        writer.write(response, from: store)
    }

    private func response(to head: borrowing RequestHead, _ bytes: Span<UInt8>) -> PreparedResponse? {
        switch String(decoding: bytes.array(head.path), as: UTF8.self) {
        case "/livez": live
        case "/readyz": readiness.isReady ? ready : notReady
        case "/tenants": tenants
        default: nil
        }
    }
}
