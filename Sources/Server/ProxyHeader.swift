internal import System

/// What a proxy announces before the first byte of a connection that it passes on: the PROXY protocol (proxy-protocol.txt
/// of HAProxy, 2020), version 1 as a line and version 2 in binary.
struct ProxyHeader: Equatable {
    /// The client; nil if there is none but the proxy itself, or one without an IP address: then the connection's own
    /// other end counts.
    let source: SocketAddress?
    /// The number of bytes that it took; all after them are the client's.
    let count: Int

    /// What the bytes so far come to.
    enum Step: Equatable {
        case incomplete
        case complete(ProxyHeader)
        /// No header, or one that says two things or nothing.
        case malformed
    }

    /// The longest line of version 1, with its end (§2.1).
    static let mostLineBytes = 107

    /// Reads the header that the bytes begin with; all bytes since the connection began.
    static func read(_ bytes: Span<UInt8>) -> Step {
        guard !bytes.isEmpty else { return .incomplete }
        return bytes[0] == UInt8(ascii: "P") ? readLine(bytes) : readBinary(bytes)
    }

    /// Whether the bytes, as far as they have come, are those of `expected`.
    static func agree(_ bytes: Span<UInt8>, _ expected: StaticString) -> Bool {
        (0..<min(bytes.count, expected.utf8CodeUnitCount)).allSatisfy { bytes[$0] == expected.utf8Start[$0] }
    }
}

// MARK: - Version 1

extension ProxyHeader {
    private static let beginning: StaticString = "PROXY "

    private static func readLine(_ bytes: Span<UInt8>) -> Step {
        guard agree(bytes, beginning) else { return .malformed }
        let seen = min(bytes.count, mostLineBytes)
        guard let end = (0..<seen).first(where: { bytes[$0] == 0x0D || bytes[$0] == 0x0A }) else {
            return seen < mostLineBytes ? .incomplete : .malformed
        }
        guard bytes[end] == 0x0D, end + 1 < mostLineBytes else { return .malformed }
        guard end + 1 < bytes.count else { return .incomplete }
        guard bytes[end + 1] == 0x0A, end >= beginning.utf8CodeUnitCount else { return .malformed }
        let text = bytes.extracting(beginning.utf8CodeUnitCount..<end)
        return source(text.withUnsafeBufferPointer { Array($0) }, count: end + 2)
    }

    private static func source(_ text: [UInt8], count: Int) -> Step {
        let words = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        // Whatever stands behind it is to be ignored.
        if words[0] == "UNKNOWN" { return .complete(ProxyHeader(source: nil, count: count)) }
        guard words.count == 5, words[0] == "TCP4" || words[0] == "TCP6" else { return .malformed }
        let isFour = words[0] == "TCP4"
        guard let source = address(words[1], port: words[3], isFour: isFour),
            address(words[2], port: words[4], isFour: isFour) != nil
        else { return .malformed }
        return .complete(ProxyHeader(source: source, count: count))
    }

    private static func address(_ literal: String, port: String, isFour: Bool) -> SocketAddress? {
        guard literal.utf8.contains(UInt8(ascii: ":")) != isFour, let port = number(port) else { return nil }
        // A C string ends at NUL, so what stands behind one would not be looked at.
        guard !literal.utf8.contains(0) else { return nil }
        return SocketAddress(literal: literal, port: port)
    }

    /// Digits up to 65535 without a zero before others.
    private static func number(_ text: String) -> UInt16? {
        let digits = text.utf8
        guard (1...5).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return UInt16(text)
    }
}
