internal import System

/// A listener of one worker, closed when the worker lets go of it.
final class OpenListener: Sendable {
    let listener: Listener
    let index: Int
    let usesTLS: Bool
    let isLimited: Bool
    let takesProxyHeader: Bool

    init(_ listener: consuming Listener, index: Int, _ endpoint: ServerConfiguration.Endpoint) {
        self.listener = listener
        self.index = index
        usesTLS = endpoint.usesTLS
        isLimited = endpoint.isLimited
        takesProxyHeader = endpoint.takesProxyHeader
    }

    /// Whether something must be agreed on before the first request, and holds a place among handshakes until then.
    var hasHandshake: Bool { usesTLS || takesProxyHeader }
}
