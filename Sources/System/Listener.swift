internal import CLinux
internal import Glibc

/// A listening TCP socket: non-blocking, closed on exec.
public struct Listener: ~Copyable, Sendable {
    /// The socket.
    public let descriptor: Descriptor
    /// Where it listens; the port is the one that the system chose if 0 was asked for.
    public let address: SocketAddress

    /// What an accept came to.
    public enum Accepted: ~Copyable {
        /// A connection.
        case connection(Descriptor, SocketAddress)
        /// Nobody waits.
        case none
        /// One connection was lost before it was accepted; the next may be fine.
        case aborted
        /// The process or the system is out of descriptors or memory, or the socket unusable: accepting must pause.
        case failed(SystemError)
    }

    /// Listens at an address.
    ///
    /// - Parameter shared: other sockets of this process may listen at the same address, and the kernel spreads the
    ///   connections over them (`SO_REUSEPORT`).
    public init(address: SocketAddress, shared: Bool, backlog: CInt = 4096) throws(SystemError) {
        let descriptor = try Self.bound(to: address, shared: shared)
        guard listen(descriptor.number, backlog) == 0 else { throw .last("listen", subject: address.description) }
        let number = descriptor.number
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
        }
        guard named == 0 else { throw .last("getsockname", subject: address.description) }
        self.address = SocketAddress(storage: &storage)
        self.descriptor = descriptor
    }

    /// Whether another process holds the address.
    ///
    /// `SO_REUSEPORT` would let a second process of the same user share it silently and take half of the connections.
    public static func check(free address: SocketAddress) throws(SystemError) {
        guard address.port != 0 else { return }
        _ = try bound(to: address, shared: false)
    }

    private static func bound(to address: SocketAddress, shared: Bool) throws(SystemError) -> Descriptor {
        let type = CInt(SOCK_STREAM.rawValue) | SOCK_NONBLOCK | SOCK_CLOEXEC
        let number = socket(address.family, type, 0)
        guard number >= 0 else { throw .last("socket", subject: address.description) }
        let descriptor = Descriptor(owning: number)
        setOption(SOL_SOCKET, SO_REUSEADDR, on: number)
        if shared { setOption(SOL_SOCKET, SO_REUSEPORT, on: number) }
        if address.family == AF_INET6 { setOption(CInt(IPPROTO_IPV6), IPV6_V6ONLY, on: number) }
        let bound = address.withSocketAddress { bind(number, $0, $1) }
        guard bound == 0 else { throw .last("bind", subject: address.description) }
        return descriptor
    }

    private static func setOption(_ level: CInt, _ name: CInt, on number: CInt) {
        var one: CInt = 1
        setsockopt(number, level, name, &one, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Takes one waiting connection, non-blocking and with `TCP_NODELAY`.
    public func accept() -> Accepted {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let number = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                retryingOnInterrupt {
                    bh_accept4(descriptor.number, address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC)
                }
            }
        }
        guard number >= 0 else { return Self.classify(errno) }
        Self.setOption(CInt(IPPROTO_TCP), TCP_NODELAY, on: number)
        return .connection(Descriptor(owning: number), SocketAddress(storage: &storage))
    }

    /// Sorts accept(2)'s errors; its manual asks to treat network errors of the new socket like "try again".
    private static func classify(_ code: CInt) -> Accepted {
        switch code {
        case EAGAIN: .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM, EBADF, EINVAL, ENOTSOCK, EFAULT:
            .failed(SystemError(call: "accept4", code: code))
        default: .aborted
        }
    }
}

private let SOCK_NONBLOCK = CInt(Glibc.SOCK_NONBLOCK.rawValue)
private let SOCK_CLOEXEC = CInt(Glibc.SOCK_CLOEXEC.rawValue)
