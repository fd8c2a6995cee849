internal import System

/// A listener of one worker, closed when the worker lets go of it.
final class OpenListener: Sendable {
    let listener: Listener
    let index: Int
    let usesTLS: Bool

    init(_ listener: consuming Listener, index: Int, usesTLS: Bool) {
        self.listener = listener
        self.index = index
        self.usesTLS = usesTLS
    }
}
