internal import Glibc

/// What a receive or a send on a non-blocking socket came to.
public enum StreamResult: Equatable, Sendable {
    /// So many bytes; for a receive, 0 is the end.
    case bytes(Int)
    /// Nothing now; the poller will tell.
    case wouldBlock
    /// The connection is gone, with `errno`.
    case failed(CInt)

    init(_ result: Int) {
        if result >= 0 {
            self = .bytes(result)
        } else {
            let code = errno
            self = code == EAGAIN ? .wouldBlock : .failed(code)
        }
    }
}

/// The calls on a connected, non-blocking socket.
extension Descriptor {
    /// Receives into `buffer`.
    public func receive(into buffer: UnsafeMutableRawBufferPointer) -> StreamResult {
        StreamResult(retryingOnInterrupt { recv(number, buffer.baseAddress, buffer.count, 0) })
    }

    /// Sends from `buffer`; never raises SIGPIPE.
    public func send(_ buffer: UnsafeRawBufferPointer) -> StreamResult {
        StreamResult(
            retryingOnInterrupt { Glibc.send(number, buffer.baseAddress, buffer.count, CInt(MSG_NOSIGNAL)) }
        )
    }

    /// Tells the peer that nothing more comes.
    public func endSending() {
        _ = shutdown(number, CInt(SHUT_WR))
    }
}
