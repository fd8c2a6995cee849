internal import System

/// Asks a running service on this machine whether it is ready.
public struct HealthProbe {
    /// What it said.
    public enum Answer: Sendable {
        /// It wants requests.
        case ready
        /// It does not, or can't be asked.
        case failed(String)
    }

    private static let patience = 3_000
    private let files: ServiceFiles

    /// A probe of the service that those files start.
    public init(_ files: ServiceFiles) {
        self.files = files
    }

    /// Asks once; blocks for at most a few seconds.
    public func ask() -> Answer {
        guard let admin = ServiceLoader(files).adminListener() else {
            return .failed("server.json has no admin listener to ask")
        }
        guard let address = SocketAddress(literal: Self.reachable(admin.address), port: UInt16(clamping: admin.port))
        else { return .failed("the admin listener has no address") }
        let request = Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        do throws(SystemError) {
            let answer = try Client.exchange(request, with: address, milliseconds: Self.patience, limit: 65_536)
            guard answer.starts(with: "HTTP/1.1 200 ".utf8) else { return .failed("not ready") }
            return .ready
        } catch {
            return .failed("\(error)")
        }
    }

    /// A service that listens everywhere is asked on loopback.
    private static func reachable(_ address: String) -> String {
        switch address {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: address
        }
    }
}
