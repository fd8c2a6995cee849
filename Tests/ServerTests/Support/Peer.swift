import Glibc
import System

/// A blocking client socket, for tests that send and receive by hand.
final class Peer {
    private let number: CInt

    /// Connects to a loopback address; a receive buffer of that size makes a slow reader.
    init?(_ address: SocketAddress, receiveBuffer: CInt? = nil) {
        number = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = address.port.bigEndian
        target.sin_addr.s_addr = in_addr_t(UInt32(0x7F00_0001).bigEndian)
        let connected = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if connected != 0 { return nil }
    }

    deinit { close(number) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        _ = Glibc.send(number, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Receives once; nil at the end, on a reset, or after ten seconds.
    func receive(_ capacity: Int = 65_536) -> String? {
        var buffer = [UInt8](repeating: 0, count: capacity)
        let count = recv(number, &buffer, capacity, 0)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// Receives until the text has so many occurrences of a marker, or no more comes.
    func receive(until marker: String, times: Int = 1) -> String {
        var text = ""
        while text.occurrences(of: marker) < times, let more = receive() { text += more }
        return text
    }

    /// Receives so many bytes or more, unless no more comes; how many.
    func receive(atLeast least: Int) -> Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var received = 0
        while received < least {
            let count = recv(number, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received += count
        }
        return received
    }

    /// Receives all until the peer closes.
    func receiveAll() -> String {
        var text = ""
        while let more = receive() { text += more }
        return text
    }
}

extension String {
    func occurrences(of marker: String) -> Int {
        let bytes = Array(utf8)
        let pattern = Array(marker.utf8)
        guard bytes.count >= pattern.count else { return 0 }
        return (0...(bytes.count - pattern.count)).count { bytes[$0..<($0 + pattern.count)].elementsEqual(pattern) }
    }
}
