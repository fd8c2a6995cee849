/// What OpenSSL could not do; no text of it holds key material.
public enum CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No randomness could be had.
    case noRandomness
    /// The text holds no certificate in PEM form.
    case noCertificate
    /// A certificate in the text can't be read.
    case malformedCertificate
    /// The text holds no private key in PEM form, or one that can't be read.
    case malformedKey
    /// The private key needs a passphrase.
    case encryptedKey
    /// A name that no certificate can be made for.
    case invalidHost(String)
    /// OpenSSL failed at something that should not fail.
    case failed(String)

    /// What is wrong, for a person.
    public var description: String {
        switch self {
        case .noRandomness: "the system gives no random bytes"
        case .noCertificate: "no certificate (-----BEGIN CERTIFICATE-----)"
        case .malformedCertificate: "a certificate that can't be read"
        case .malformedKey: "no private key that can be read (-----BEGIN PRIVATE KEY-----)"
        case .encryptedKey: "a private key with a passphrase, which nobody could enter"
        case .invalidHost(let host): "the host \"\(host)\", which is neither a DNS name nor an address"
        case .failed(let step): "OpenSSL failed to \(step)"
        }
    }
}
