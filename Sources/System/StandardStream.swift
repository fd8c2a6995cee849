internal import Glibc

/// The process's own output streams; unbuffered, one write a line where the kernel allows.
public enum StandardStream: CInt, Sendable {
    /// For what was asked for.
    case output = 1
    /// For what a person should know besides.
    case error = 2

    /// Writes one line; a stream that nobody reads is no failure.
    ///
    /// Control characters are written as `\u{…}`: what someone typed or named a file can neither forge a line nor move a
    /// terminal's cursor.
    public func writeLine(_ line: String) {
        var bytes: [UInt8] = []
        for byte in line.utf8 {
            if byte < 0x20 || byte == 0x7F {
                bytes += "\\u{\(String(byte, radix: 16))}".utf8
            } else {
                bytes.append(byte)
            }
        }
        write(bytes + [0x0A])
    }

    /// Writes bytes as they are.
    public func write(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retryingOnInterrupt {
                    Glibc.write(rawValue, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
                }
            }
            guard count > 0 else { return }
            offset += count
        }
    }
}
