import Glibc
import HTTP
import Server
import System
import TLS

/// Answers every request with its path, or with as many bytes as `/bytes/N` asks for; it wants no content for `/unread`.
final class PathResponder: Responder {
    let prefix: String

    init(_ prefix: String = "") { self.prefix = prefix }

    func respond(
        to head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        content: Content,
        on connection: borrowing ConnectionFacts,
        into writer: inout ResponseWriter
    ) {
        let path = String(decoding: bytes.array(head.path), as: UTF8.self)
        let size = path.hasPrefix("/bytes/") ? Int(path.dropFirst(7)) : nil
        let text = size.map { String(repeating: "x", count: $0) } ?? "[\(prefix)\(path)]"
        let received = content.bytes(in: bytes)
        writer.write(.ok, fields: [], content: Array(text.utf8) + received)
    }

    func wantsContent(
        of head: borrowing RequestHead,
        _ bytes: Span<UInt8>,
        on connection: borrowing ConnectionFacts
    ) -> Bool {
        bytes.array(head.path) != Array("/unread".utf8)
    }

    func reject(
        _ rejection: Rejection,
        on connection: borrowing ConnectionFacts,
        into writer: inout ResponseWriter
    ) {
        writer.write(rejection.status, fields: [], content: Array("\(rejection)".utf8))
    }
}

/// A server on loopback, drained when the test lets go of it.
final class TestService {
    let server: Server
    var address: SocketAddress { server.addresses[0] }

    init(workers: Int = 1, isLimited: Bool = true, _ change: (inout ServerConfiguration) -> Void = { _ in }) throws {
        let loopback = SocketAddress(literal: "127.0.0.1", port: 0)
        var configuration = ServerConfiguration(
            endpoints: loopback.map { [.init(address: $0, usesTLS: false, isLimited: isLimited)] } ?? [],
            workers: workers
        )
        change(&configuration)
        let content = ServerContent(responder: PathResponder(), certificates: nil)
        server = try Server(try ServerSockets(configuration), content: content, ticketKeys: TicketKeys([]))
    }

    deinit { server.drain() }

    func closes(_ reason: CloseReason) -> Int { server.counters.reduce(0) { $0 + $1.closes(reason) } }

    /// Waits until a condition holds that another thread brings about; false after ten seconds.
    func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<10_000 {
            if condition() { return true }
            usleep(1_000)
        }
        return false
    }
}

func request(_ path: String, _ fields: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
}
