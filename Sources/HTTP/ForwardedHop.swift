/// What one proxy says of the request that it passed on.
public struct ForwardedHop: Sendable, Equatable {
    /// Whom the proxy was asked by.
    public enum Node: Sendable, Equatable {
        /// An IPv4 or IPv6 literal, without brackets and port.
        case address(ByteRange)
        /// Nobody that it names: `unknown`, a name of its own making (RFC 7239 §6.3), or nothing.
        case hidden
        /// What is none of these; what was said before it can't be told apart from it.
        case malformed
    }

    /// Whom the proxy was asked by.
    public var node: Node
    /// Whether it was asked by https; nil if it does not say, or says neither https nor http.
    public var isSecure: Bool?

    init(_ node: Node, isSecure: Bool? = nil) {
        self.node = node
        self.isSecure = isSecure
    }
}

/// The fields by which proxies say whom a request is from; those of one kind count, and the other is never looked at,
/// since a proxy that writes one kind passes on what a client wrote into the other.
public enum ForwardedFields: String, CaseIterable, Sendable {
    /// X-Forwarded-For and X-Forwarded-Proto.
    case xForwarded = "X-Forwarded"
    /// Forwarded (RFC 7239).
    case forwarded = "Forwarded"

    /// What each proxy says, the nearest one last; fields that come more than once are one list, in their order.
    public func hops(of head: borrowing RequestHead, _ bytes: Span<UInt8>) -> [ForwardedHop] {
        var hops: [ForwardedHop] = []
        switch self {
        case .xForwarded:
            head.forEachValue(of: .xForwardedFor) { value in
                bytes.forEachElement(of: value) { hops.append(ForwardedHop(Self.node(bytes, $0))) }
            }
            // A proxy asked in the clear does not know how the client came to the one before it; it passes on what that
            // one said. So there is one scheme, and what a client may have said itself stands before it.
            let isSecure = saysSecure(head, bytes)
            if hops.isEmpty, isSecure != nil { hops.append(ForwardedHop(.hidden)) }
            for index in hops.indices { hops[index].isSecure = isSecure }
        case .forwarded:
            head.forEachValue(of: .forwarded) { value in
                var reader = ForwardedReader(cursor: Int(value.start), end: value.end)
                hops += reader.read(bytes)
            }
        }
        return hops
    }

    /// Whether X-Forwarded-Proto says https, the last time that it says anything; nil if that is nothing, or another scheme.
    public func saysSecure(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> Bool? {
        var isSecure: Bool?
        head.forEachValue(of: .xForwardedProto) { value in
            bytes.forEachElement(of: value) { isSecure = Self.isSecure(bytes, $0) }
        }
        return isSecure
    }

    static func isSecure(_ bytes: Span<UInt8>, _ scheme: ByteRange) -> Bool? {
        if bytes.matches(scheme, "https") { return true }
        return bytes.matches(scheme, "http") ? false : nil
    }

    /// The node that a text names, with or without a port (RFC 7239 §6); X-Forwarded-For has IPv6 without brackets too.
    static func node(_ bytes: Span<UInt8>, _ text: ByteRange) -> ForwardedHop.Node {
        guard !text.isEmpty else { return .malformed }
        let start = Int(text.start)
        switch bytes[start] {
        case UInt8(ascii: "_"): return isObfuscated(bytes, text) ? .hidden : .malformed
        case UInt8(ascii: "["):
            guard let close = text.indices.first(where: { bytes[$0] == UInt8(ascii: "]") }) else { return .malformed }
            let address = ByteRange(start + 1, close)
            let isValid = AddressLiteral.isIPv6(bytes, address) && isPort(bytes, from: close + 1, to: text.end)
            return isValid ? .address(address) : .malformed
        default: break
        }
        if AddressLiteral.isIPv6(bytes, text) { return .address(text) }
        let colon = text.indices.first { bytes[$0] == UInt8(ascii: ":") } ?? text.end
        let host = ByteRange(start, colon)
        guard isPort(bytes, from: colon, to: text.end) else { return .malformed }
        if bytes.matches(host, "unknown") { return .hidden }
        return AddressLiteral.isIPv4(bytes, host) ? .address(host) : .malformed
    }

    /// Nothing, or `:` and one to five digits or a name of the proxy's own making.
    private static func isPort(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard start < end else { return true }
        guard bytes[start] == UInt8(ascii: ":"), start + 1 < end else { return false }
        let port = ByteRange(start + 1, end)
        return port.length <= 5 && port.indices.allSatisfy { isDigit(bytes[$0]) } || isObfuscated(bytes, port)
    }

    private static func isObfuscated(_ bytes: Span<UInt8>, _ name: ByteRange) -> Bool {
        bytes[Int(name.start)] == UInt8(ascii: "_") && name.length > 1
            && name.indices.allSatisfy { index in
                let byte = bytes[index]
                return isDigit(byte) || (0x61...0x7A).contains(asciiLowercased(byte))
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
    }
}
