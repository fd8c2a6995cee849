import HTTP
import System

/// Any bytes as a value of Forwarded or X-Forwarded-For: what the nearest proxy adds is still the last hop, and what is
/// taken for an address is one to the system as well.
enum Forwarded {
    static func check(_ bytes: [UInt8]) {
        guard !bytes.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return }
        for (fields, name, hop) in [
            (ForwardedFields.forwarded, "Forwarded", "for=192.0.2.1"),
            (.xForwarded, "X-Forwarded-For", "192.0.2.1"),
        ] {
            let start = Array("GET / HTTP/1.1\r\nHost: a\r\n\(name):".utf8)
            let field = Array("\r\n\(name): \(hop)\r\n\r\n".utf8)
            guard let alone = hops(fields, start + bytes + [UInt8]("\r\n\r\n")),
                let followed = hops(fields, start + bytes + field)
            else { continue }
            expect(followed.count == alone.count + 1, "\(followed.count) hops after \(alone.count)")
            expect(Array(followed.dropLast()) == alone, "another field changes \(alone) to \(followed)")
            expect(followed.last == "192.0.2.1", "\(followed) does not end in what the proxy added")
            let listed = hops(fields, start + bytes + Array(", \(hop)\r\n\r\n".utf8))
            expect(listed?.last == "192.0.2.1" || listed == [malformed], "\(String(describing: listed)) of a list")
        }
    }

    private static let malformed = "malformed"

    /// The hops that a request tells of, as text; nil if the bytes are not one request.
    private static func hops(_ fields: ForwardedFields, _ request: [UInt8]) -> [String]? {
        var decoder = RequestDecoder(limits: RequestLimits())
        var head = RequestHead()
        guard case .request(request.count, .none) = decoder.next(request.span, into: &head) else { return nil }
        return fields.hops(of: head, request.span).map { hop in
            switch hop.node {
            case .malformed: return malformed
            case .hidden: return "hidden"
            case .address(let range):
                let literal = String(decoding: request[range.indices], as: UTF8.self)
                expect(SocketAddress(literal: literal, port: 0) != nil, "\(text(request[range.indices])) is no address")
                return literal
            }
        }
    }
}
