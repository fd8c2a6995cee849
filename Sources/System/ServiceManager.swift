internal import Glibc

/// The service manager that started this process and wants to know how it is (sd_notify(3)).
public struct ServiceManager: Sendable {
    /// How often, in milliseconds, it wants to hear that the process lives; nil if it does not.
    public let watchdogPeriod: Int?
    private let name: [UInt8]

    /// How long, in seconds, a manager that does not listen is waited for.
    private static let patience = 1

    /// The manager that the variables tell of; nil if they tell of none that can be reached.
    public init?(_ environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], let first = path.utf8.first else { return nil }
        // In a name that is no file's, `@` stands for NUL (unix(7)).
        name = first == UInt8(ascii: "@") ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8)
        guard first == UInt8(ascii: "@") || first == UInt8(ascii: "/"), name.count < Self.longestName else {
            return nil
        }
        let isOurs = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int($0) } ?? 0
        // Half of what it waits for, so that one lateness is forgiven.
        watchdogPeriod = isOurs && microseconds > 0 ? max(1, microseconds / 2_000) : nil
    }

    /// Tells it assignments such as `READY=1`; whether it took them.
    @discardableResult
    public func tell(_ assignments: String...) -> Bool {
        let number = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return false }
        let descriptor = Descriptor(owning: number)
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(descriptor.number, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let text = Array(assignments.joined(separator: "\n").utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - Self.longestName + name.count)
        let count = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                retryingOnInterrupt {
                    sendto(descriptor.number, text, text.count, CInt(MSG_NOSIGNAL), address, length)
                }
            }
        }
        return count == text.count
    }

    /// The bytes that an address has for its name.
    private static var longestName: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) }
}
