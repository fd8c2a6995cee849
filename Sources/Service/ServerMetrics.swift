internal import HTTP
internal import Server
internal import TLS

/// The server's connections, requests and faults, summed over its workers.
struct ServerMetrics: MetricsSource {
    let counters: [Counters]
    let limits: ConnectionLimits

    func write(into writer: inout MetricsWriter) {
        writer.add("bridgehost_connections", .gauge, "Connections that are open.", limits.current)
        writer.add("bridgehost_handshakes", .gauge, "TLS handshakes that have not ended.", limits.currentHandshakes)
        writer.add("bridgehost_kept_bytes", .gauge, "Bytes of unread answers and half requests.", limits.currentKept)
        writer.add(
            "bridgehost_connections_by_state",
            .gauge,
            "Connections that are open, by what they wait for.",
            label: "state",
            Deadline.allCases.map { deadline in
                (value: deadline.label, count: counters.reduce(0) { $0 + $1.waiting(for: deadline) })
            }
        )
        writer.add(
            "bridgehost_tls_handshakes_total",
            .counter,
            "TLS handshakes that ended well, by version and whether they went on from an earlier session.",
            labels: ["version", "resumed"],
            TLSVersion.allCases.flatMap { version in
                [false, true].map { isResumed in
                    let count = counters.reduce(0) { $0 + $1.handshakes(version, isResumed: isResumed) }
                    return (values: [version.number, "\(isResumed)"], count: count)
                }
            }
        )
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

extension Counters.Event {
    fileprivate var metric: (name: String, help: String) {
        switch self {
        case .accepted: ("bridgehost_connections_accepted_total", "Connections that were accepted.")
        case .acceptAborted:
            ("bridgehost_accept_aborts_total", "Connections that were lost before they were accepted.")
        case .acceptPaused:
            ("bridgehost_accept_pauses_total", "Rests of accepting for want of descriptors or memory.")
        case .bytesReceived: ("bridgehost_received_bytes_total", "Bytes that clients sent, those of TLS included.")
        case .bytesSent: ("bridgehost_sent_bytes_total", "Bytes that clients were sent, those of TLS included.")
        case .pollFailed: ("bridgehost_poll_failures_total", "Waits for events that failed and were repeated.")
        }
    }
}

extension Deadline {
    /// The state as the value of a label; a name once given stays.
    fileprivate var label: String {
        switch self {
        case .handshake: "handshake"
        case .head: "reading_head"
        case .body: "reading_body"
        case .write: "writing"
        case .idle: "idle"
        case .linger: "closing"
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
        case .tooMuchKept: "too_much_kept"
        case .untrustedPeer: "untrusted_peer"
        case .malformedProxyHeader: "malformed_proxy_header"
        case .failed: "failed"
        }
    }
}
