public import System
public import TLS

/// Why a server could not start or take new content.
public enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A system call failed.
    case system(SystemError)
    /// TLS could not be set up.
    case tls(TLSError)
    /// The process may open so few files that none are left for connections.
    case tooFewFiles(limit: Int, needed: Int)

    /// One line for a person.
    public var description: String {
        switch self {
        case .system(let error): "\(error)"
        case .tls(let error): "\(error)"
        case .tooFewFiles(let limit, let needed):
            "the process may open \(limit) files (ulimit -n), and needs \(needed) before it takes a connection: raise it"
        }
    }
}
