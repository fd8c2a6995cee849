internal import CLinux
internal import Glibc

/// The process's environment.
public enum Environment {
    /// All variables as they are now.
    public static var all: [String: String] {
        var variables: [String: String] = [:]
        var pointer = bh_environment()
        while let entry = pointer?.pointee {
            let text = String(cString: entry)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                variables[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
            }
            pointer = pointer?.advanced(by: 1)
        }
        return variables
    }
}

/// Ends the process at once, without what libraries do at a usual end: OpenSSL frees tables that other threads still use.
public func exit(_ status: Int32) -> Never {
    _exit(status)
}
