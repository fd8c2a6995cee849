import COpenSSL
import Crypto

@testable import TLS

/// OpenSSL's client side, whose bytes a test carries by hand.
final class TestClient {
    let ssl: OpaquePointer
    private let context: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    /// A ticket of a session, to resume it.
    private(set) var session: OpaquePointer?
    /// What OpenSSL last complained of; empty for nothing.
    private(set) var error = ""

    struct Options {
        var serverName: String?
        var protocols: [String] = []
        /// In OpenSSL's notation; nil for its own.
        var groups: String?
        var maximumVersion: CInt = TLS1_3_VERSION
        var minimumVersion: CInt = TLS1_2_VERSION
    }

    init?(_ options: Options = Options(), resuming session: OpaquePointer? = nil) {
        guard let context = SSL_CTX_new(TLS_client_method()), let ssl = SSL_new(context),
            let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem())
        else { return nil }
        self.context = context
        self.ssl = ssl
        self.input = input
        self.output = output
        SSL_set_bio(ssl, input, output)
        SSL_set_connect_state(ssl)
        SSL_ctrl(ssl, SSL_CTRL_SET_MIN_PROTO_VERSION, CLong(options.minimumVersion), nil)
        SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, CLong(options.maximumVersion), nil)
        if let name = options.serverName { ask(for: name) }
        if var groups = options.groups.map({ Array($0.utf8CString) }) {
            SSL_ctrl(ssl, SSL_CTRL_SET_GROUPS_LIST, 0, &groups)
        }
        let offered = options.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !offered.isEmpty { SSL_set_alpn_protos(ssl, offered, CUnsignedInt(offered.count)) }
        if let session { SSL_set_session(ssl, session) }
    }

    deinit {
        if let session { SSL_SESSION_free(session) }
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    /// Names a server in the hellos that follow.
    func ask(for name: String) {
        var name = Array(name.utf8CString)
        SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, CLong(TLSEXT_NAMETYPE_host_name), &name)
    }

    /// Takes what the server sent, goes on, and returns what must be sent to it.
    func step(_ bytes: [UInt8]) -> [UInt8] {
        if !bytes.isEmpty { BIO_write(input, bytes, CInt(bytes.count)) }
        ERR_clear_error()
        if SSL_is_init_finished(ssl) == 0 { SSL_do_handshake(ssl) }
        if let text = ERR_reason_error_string(ERR_get_error()) { error = String(cString: text) }
        return takeOutput()
    }

    func write(_ text: String) -> [UInt8] {
        SSL_write(ssl, text, CInt(text.utf8.count))
        return takeOutput()
    }

    func read(_ bytes: [UInt8]) -> String {
        BIO_write(input, bytes, CInt(bytes.count))
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = SSL_read(ssl, &buffer, CInt(buffer.count))
        session = SSL_get1_session(ssl)
        return String(decoding: buffer[..<max(0, Int(count))], as: UTF8.self)
    }

    var isFinished: Bool { SSL_is_init_finished(ssl) == 1 }
    var isResumed: Bool { SSL_session_reused(ssl) == 1 }
    var version: CInt { SSL_version(ssl) }

    /// The protocol agreed on; empty without one.
    var chosenProtocol: String {
        var name: UnsafePointer<UInt8>?
        var length: CUnsignedInt = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// The fingerprint of what the server showed.
    var shownFingerprint: [UInt8] {
        guard let certificate = SSL_get1_peer_certificate(ssl) else { return [] }
        defer { X509_free(certificate) }
        var digest = [UInt8](repeating: 0, count: 32)
        X509_digest(certificate, EVP_sha256(), &digest, nil)
        return digest
    }

    private func takeOutput() -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = BIO_read(output, &chunk, CInt(chunk.count))
            guard count > 0 else { return bytes }
            bytes += chunk[..<Int(count)]
        }
    }
}

/// A server context with an exchange, and one session on them.
final class TestServer {
    let context: TLSContext
    let exchange: Exchange
    private(set) var session: TLSSession

    init(_ identities: [Identity], ticketKeys: TicketKeys, refusesUnknownNames: Bool = false) throws {
        let store = try CertificateStore(identities, refusesUnknownNames: refusesUnknownNames)
        context = try TLSContext(certificates: store, ticketKeys: ticketKeys)
        exchange = try Exchange()
        session = try TLSSession(context: context, exchange: exchange)
    }

    /// Carries bytes both ways until the handshake ends; how the server's side ended.
    ///
    /// - Parameter afterHello: called between the client's first hello and what it sends next.
    func handshake(with client: TestClient, afterHello: () -> Void = {}) -> TLSSession.Step {
        var toServer = client.step([])
        afterHello()
        var last = TLSSession.Step.wantsInput
        for _ in 0..<8 {
            last = give(toServer) { session.handshake() }
            toServer = client.step(takeOutput())
            if case .failed = last { return last }
            if case .done = last, toServer.isEmpty { return last }
        }
        return last
    }

    /// Gives the session bytes of the client and reads all plaintext.
    func receive(_ bytes: [UInt8]) -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var text: [UInt8] = []
        _ = give(bytes) {
            while case .done(let count) = buffer.withUnsafeMutableBytes({ session.read(into: $0) }) {
                text += buffer[..<count]
            }
            return .wantsInput
        }
        return String(decoding: text, as: UTF8.self)
    }

    func send(_ text: String) -> [UInt8] {
        _ = Array(text.utf8).withUnsafeBytes { session.write($0) }
        return takeOutput()
    }

    private func give(_ bytes: [UInt8], _ body: () -> TLSSession.Step) -> TLSSession.Step {
        bytes.withUnsafeBytes { exchange.withInput($0, body) }
    }

    private func takeOutput() -> [UInt8] {
        defer { exchange.clearOutput() }
        return exchange.output
    }
}

let now = 1_800_000_000

func identity(_ hosts: String...) throws -> Identity {
    try CertificateMaker.selfSigned(hosts: hosts, days: 30, now: now)
}
