internal import COpenSSL

/// The bytes that one event brings to and takes from a TLS session.
///
/// Sessions of one worker share one exchange, since a worker serves one event at a time: received bytes are lent to it,
/// and all that OpenSSL writes (handshake, tickets, records) is gathered in it, to leave in one send. Confined to the
/// worker's thread.
public final class Exchange {
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// What must be sent to the peer.
    public private(set) var output: [UInt8] = []

    let bio: OpaquePointer
    private let method: OpaquePointer

    /// An empty exchange.
    ///
    /// - Throws: ``TLSError/outOfMemory``.
    public init() throws(TLSError) {
        guard let method = BIO_meth_new(BIO_get_new_index() | CInt(BIO_TYPE_SOURCE_SINK), "exchange"),
            let bio = BIO_new(method)
        else { throw .outOfMemory }
        self.method = method
        self.bio = bio
        BIO_meth_set_read(method, Self.read)
        BIO_meth_set_write(method, Self.write)
        BIO_meth_set_ctrl(method, Self.control)
        BIO_set_init(bio, 1)
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        BIO_free(bio)
        BIO_meth_free(method)
    }

    /// Lends received bytes to the sessions while `body` runs.
    public func withInput<Result>(_ bytes: UnsafeRawBufferPointer, _ body: () -> Result) -> Result {
        input = bytes
        defer { input = UnsafeRawBufferPointer(start: nil, count: 0) }
        return body()
    }

    /// Whether the sessions have taken all that was lent.
    public var isInputTaken: Bool { input.isEmpty }

    /// Drops the output and keeps its memory.
    public func clearOutput() {
        output.removeAll(keepingCapacity: true)
    }

    private static func exchange(of bio: OpaquePointer?) -> Exchange? {
        BIO_get_data(bio).map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let read: @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, CInt) -> CInt = {
        bio,
        target,
        capacity in
        bh_bio_clear_retry(bio)
        guard let target, let exchange = exchange(of: bio) else { return -1 }
        let count = min(Int(capacity), exchange.input.count)
        guard count > 0, let source = exchange.input.baseAddress else {
            bh_bio_retry_read(bio)
            return -1
        }
        UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: count)
        exchange.input = UnsafeRawBufferPointer(rebasing: exchange.input[count...])
        return CInt(count)
    }

    private static let write: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, CInt) -> CInt = {
        bio,
        source,
        count in
        guard let source, let exchange = exchange(of: bio) else { return -1 }
        exchange.output.append(contentsOf: UnsafeRawBufferPointer(start: source, count: Int(count)))
        return count
    }

    /// Flushing succeeds, since output leaves at the event's end; nothing else is answered.
    private static let control: @convention(c) (OpaquePointer?, CInt, CLong, UnsafeMutableRawPointer?) -> CLong = {
        _,
        command,
        _,
        _ in
        command == BIO_CTRL_FLUSH ? 1 : 0
    }
}
