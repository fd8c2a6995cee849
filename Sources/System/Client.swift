internal import Glibc

/// A blocking TCP client with a time limit, for asking a service on this machine.
public enum Client {
    /// Sends a request and returns all that comes until the peer closes.
    ///
    /// - Parameters:
    ///   - milliseconds: the most that any one step may take.
    ///   - limit: the most bytes that are read.
    public static func exchange(
        _ request: [UInt8],
        with address: SocketAddress,
        milliseconds: Int,
        limit: Int
    ) throws(SystemError) -> [UInt8] {
        let number = socket(address.family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw .last("socket") }
        let descriptor = Descriptor(owning: number)
        var time = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor.number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        let connected = address.withSocketAddress { connect(number, $0, $1) }
        guard connected == 0 else { throw .last("connect", subject: address.description) }
        let sent = request.withUnsafeBytes { descriptor.send($0) }
        guard sent == .bytes(request.count) else { throw SystemError(call: "send", code: EPIPE) }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while answer.count < limit {
            switch chunk.withUnsafeMutableBytes({ descriptor.receive(into: $0) }) {
            case .bytes(0): return answer
            case .bytes(let count): answer += chunk[..<count]
            case .wouldBlock: throw SystemError(call: "recv", code: ETIMEDOUT, subject: address.description)
            case .failed(let code): throw SystemError(call: "recv", code: code, subject: address.description)
            }
        }
        return answer
    }
}
