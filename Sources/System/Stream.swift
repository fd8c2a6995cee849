internal import CLinux
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

extension StreamResult {
    /// Whether an error of a socket is this machine's: it is short of memory, or we did wrong; all else is the peer's
    /// doing or the network's.
    public static func isOwnFault(_ code: CInt) -> Bool {
        [ENOMEM, ENOBUFS, EBADF, ENOTSOCK, EFAULT, EINVAL].contains(code)
    }
}

/// The calls on a connected, non-blocking socket.
extension Descriptor {
    /// Receives into `buffer`.
    public func receive(into buffer: UnsafeMutableRawBufferPointer) -> StreamResult {
        StreamResult(retryingOnInterrupt { bh_recv(number, buffer.baseAddress, UInt(buffer.count)) })
    }

    /// Sends from `buffer`; never raises SIGPIPE.
    public func send(_ buffer: UnsafeRawBufferPointer) -> StreamResult {
        StreamResult(retryingOnInterrupt { bh_send(number, buffer.baseAddress, UInt(buffer.count)) })
    }

    /// Sends from several places in one call, up to ``maximumPieces``; never raises SIGPIPE.
    public func send(_ pieces: borrowing [UnsafeRawBufferPointer]) -> StreamResult {
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: Self.maximumPieces) { vector in
            let count = min(pieces.count, Self.maximumPieces)
            for index in 0..<count {
                let piece = pieces[index]
                let base = UnsafeMutableRawPointer(mutating: piece.baseAddress)
                vector.initializeElement(at: index, to: iovec(iov_base: base, iov_len: piece.count))
            }
            var message = msghdr()
            message.msg_iov = vector.baseAddress
            message.msg_iovlen = count
            return StreamResult(retryingOnInterrupt { sendmsg(number, &message, CInt(MSG_NOSIGNAL)) })
        }
    }

    /// The most pieces that one call sends from.
    public static var maximumPieces: Int { 64 }

    /// Tells the peer that nothing more comes.
    public func endSending() {
        _ = shutdown(number, CInt(SHUT_WR))
    }
}
