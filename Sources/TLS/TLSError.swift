/// Why a TLS context or session could not be made.
public enum TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// OpenSSL had no memory.
    case outOfMemory
    /// OpenSSL refused a setting; the text is OpenSSL's.
    case refused(setting: String, reason: String)
    /// There is no certificate at all.
    case noCertificate

    /// One line for a person.
    public var description: String {
        switch self {
        case .outOfMemory: "TLS: out of memory"
        case .refused(let setting, let reason): "TLS: OpenSSL refused \(setting): \(reason)"
        case .noCertificate: "TLS: no certificate to show"
        }
    }
}
