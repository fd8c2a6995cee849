internal import Glibc

/// The process's own output streams; unbuffered, one write a line where the kernel allows.
public enum StandardStream: CInt, Sendable {
    /// For what was asked for.
    case output = 1
    /// For what a person should know besides.
    case error = 2

    /// Makes sure that no other file is opened in the place of a stream that was closed when the process began.
    ///
    /// To be called before anything is opened.
    public static func reserve() {
        while case let number = retryingOnInterrupt({ open("/dev/null", O_RDWR) }), number >= 0 {
            guard number <= StandardStream.error.rawValue else {
                close(number)
                return
            }
        }
    }

    /// Writes one line; a stream that nobody reads is no failure.
    ///
    /// Control characters are written as `\u{…}`: what someone typed, sent or named a file can neither forge a line nor
    /// move a terminal's cursor.
    public func writeLine(_ line: String) {
        write(Self.escape(line) + [0x0A])
    }

    /// Writes one line as ``writeLine(_:)`` does, if it is taken in time.
    ///
    /// - Parameter patience: how many milliseconds it may wait.
    /// - Returns: whether it was taken; a stream that failed takes everything, since nobody will ever read it.
    public func offerLine(_ line: String, patience: Int) -> Bool {
        let bytes = Self.escape(line) + [0x0A]
        let target = LogOutput.Target(rawValue, name, isShared: true)
        let outcome = LogOutput.write(bytes, from: 0, to: target, patience: patience)
        return outcome.error != nil || outcome.written == bytes.count
    }

    var name: String { self == .output ? "standard output" : "standard error" }

    /// The text in UTF-8 without anything that a terminal or a reader of lines acts on: C0, DEL and C1 controls, line and
    /// paragraph separators, and marks of writing direction are `\u{…}`.
    static func escape(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                bytes += "\\u{\(String(scalar.value, radix: 16))}".utf8
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        return bytes
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
