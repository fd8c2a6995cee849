internal import System

/// A listener of one worker, closed when the worker lets go of it.
final class OpenListener: Sendable {
    let listener: Listener
    let index: Int
    let usesTLS: Bool
    let isLimited: Bool

    init(_ listener: consuming Listener, index: Int, _ endpoint: ServerConfiguration.Endpoint) {
        self.listener = listener
        self.index = index
        usesTLS = endpoint.usesTLS
        isLimited = endpoint.isLimited
    }
}
