internal import HTTP
internal import Server
internal import System

/// The server's connections, requests and faults, summed over its workers.
struct ServerMetrics: MetricsSource {
    let counters: [Counters]
    let limits: ConnectionLimits

    func write(into writer: inout MetricsWriter) {
        writer.add("bridgehost_connections", .gauge, "Connections that are open.", limits.current)
        writer.add("bridgehost_handshakes", .gauge, "TLS handshakes that have not ended.", limits.currentHandshakes)
        for event in Counters.Event.allCases {
            let (name, help) = event.metric
            writer.add(name, .counter, help, counters.reduce(0) { $0 + $1[event] })
        }
        writer.add(
            "bridgehost_connections_closed_total",
            .counter,
            "Connections that ended, by reason.",
            label: "reason",
            CloseReason.allCases.map { reason in
                (value: reason.label, count: counters.reduce(0) { $0 + $1.closes(reason) })
            }
        )
    }
}

/// The process, under the names that every exporter uses, and which program it runs.
struct ProcessMetrics: MetricsSource {
    func write(into writer: inout MetricsWriter) {
        writer.add(
            "bridgehost_build_info",
            .gauge,
            "1, with the program's version.",
            label: "version",
            [(value: version, count: 1)]
        )
        if let count = ProcessFacts.openDescriptors {
            writer.add("process_open_fds", .gauge, "File descriptors that are open.", count)
        }
        writer.add("process_max_fds", .gauge, "File descriptors that may be open.", ProcessFacts.descriptorLimit)
        if let bytes = ProcessFacts.residentBytes {
            writer.add("process_resident_memory_bytes", .gauge, "Memory that is resident, in bytes.", bytes)
        }
    }
}

extension Counters.Event {
    fileprivate var metric: (name: String, help: String) {
        switch self {
        case .accepted: ("bridgehost_connections_accepted_total", "Connections that were accepted.")
        case .answered: ("bridgehost_requests_total", "Requests that were answered.")
        case .acceptAborted:
            ("bridgehost_accept_aborts_total", "Connections that were lost before they were accepted.")
        case .acceptPaused:
            ("bridgehost_accept_pauses_total", "Rests of accepting for want of descriptors or memory.")
        case .pollFailed: ("bridgehost_poll_failures_total", "Waits for events that failed and were repeated.")
        }
    }
}

extension CloseReason {
    /// The reason as the value of a label; a name once given stays.
    var label: String {
        switch self {
        case .peerClosed: "peer_closed"
        case .peerAborted: "peer_aborted"
        case .ended: "ended"
        case .rejected: "rejected"
        case .handshakeTimeout: "handshake_timeout"
        case .handshakeFailed: "handshake_failed"
        case .tlsFailed: "tls_failed"
        case .headTimeout: "head_timeout"
        case .bodyTimeout: "body_timeout"
        case .writeTimeout: "write_timeout"
        case .idleTimeout: "idle_timeout"
        case .drained: "drained"
        case .tooManyConnections: "too_many_connections"
        case .tooManyHandshakes: "too_many_handshakes"
        case .tooManyFromAddress: "too_many_from_address"
        case .untrustedPeer: "untrusted_peer"
        case .malformedProxyHeader: "malformed_proxy_header"
        case .failed: "failed"
        }
    }
}
