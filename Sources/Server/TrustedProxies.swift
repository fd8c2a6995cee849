public import HTTP
public import System

/// The proxies whose word counts about whom a connection or a request is from.
public final class TrustedProxies: Sendable {
    private let ranges: [AddressRange]
    private let fields: ForwardedFields

    /// Proxies by their addresses, and the kind of fields that they write; nil without any.
    public init?(_ ranges: [AddressRange], fields: ForwardedFields = .xForwarded) {
        guard !ranges.isEmpty else { return nil }
        self.ranges = ranges
        self.fields = fields
    }

    /// Whether the address, whatever its port, is that of a trusted proxy.
    public func contains(_ address: SocketAddress) -> Bool {
        ranges.contains { $0.contains(address) }
    }

    /// ``RequestSource/isSecure`` of a request that a trusted peer brought; of X-Forwarded fields without a look at addresses.
    func isSecure(_ head: borrowing RequestHead, _ bytes: Span<UInt8>, from peer: SocketAddress) -> Bool? {
        switch fields {
        case .xForwarded: fields.saysSecure(head, bytes)
        case .forwarded: source(of: head, bytes, from: peer).isSecure
        }
    }

    /// Whom a request that a trusted peer brought is from: from the nearest hop on, the first that is no trusted proxy.
    ///
    /// What is malformed or hidden ends the search at the last address before it.
    func source(of head: borrowing RequestHead, _ bytes: Span<UInt8>, from peer: SocketAddress) -> RequestSource {
        var source = RequestSource(client: peer)
        for hop in fields.hops(of: head, bytes).reversed() {
            source.isSecure = hop.isSecure
            guard case .address(let text) = hop.node,
                let address = SocketAddress(literal: String(decoding: bytes.array(text), as: UTF8.self), port: 0)
            else { break }
            source.client = address
            guard contains(address) else { break }
        }
        return source
    }
}

/// Whom a request is from, and how it began its way.
public struct RequestSource: Sendable, Equatable {
    /// The client; its port is 0 if a proxy told of it.
    public var client: SocketAddress
    /// Whether the client asked by https, as a trusted proxy says; nil if none does.
    public var isSecure: Bool?
}

extension ConnectionFacts {
    /// Whether the peer is a proxy whose word counts about whom its requests are from.
    public var isFromTrustedProxy: Bool { proxies != nil }

    /// Whom a request on this connection is from: the peer, unless that is a trusted proxy and tells of another.
    public func source(of head: borrowing RequestHead, _ bytes: Span<UInt8>) -> RequestSource {
        proxies?.source(of: head, bytes, from: peer) ?? RequestSource(client: peer)
    }

    /// Whether the client asked by https, as a trusted proxy says; nil if none does.
    public func isSecure(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> Bool? {
        proxies?.isSecure(head, bytes, from: peer)
    }
}
