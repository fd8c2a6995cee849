internal import COpenSSL
internal import Crypto

/// The keys that seal session tickets (RFC 5077 §4): shared by all workers, so a session resumes on any of them.
public struct TicketKeys: Sendable {
    // OpenSSL takes name, HMAC key and AES key as one block of this length.
    static let length = 80
    let bytes: [UInt8]

    /// New random keys.
    ///
    /// - Throws: ``TLSError/refused(setting:reason:)`` when there is no randomness.
    public static func random() throws(TLSError) -> TicketKeys {
        do {
            return TicketKeys(bytes: try Random.bytes(length))
        } catch {
            throw .refused(setting: "random ticket keys", reason: "\(error)")
        }
    }
}
