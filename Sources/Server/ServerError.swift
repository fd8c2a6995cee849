public import System
public import TLS

/// Why a server could not start or take new content.
public enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A system call failed.
    case system(SystemError)
    /// TLS could not be set up.
    case tls(TLSError)

    /// One line for a person.
    public var description: String {
        switch self {
        case .system(let error): "\(error)"
        case .tls(let error): "\(error)"
        }
    }
}
