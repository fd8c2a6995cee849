internal import JSON
internal import Service
internal import System

/// `healthcheck`.
enum HealthCheck {
    static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
        var arguments = arguments
        let files = try arguments.files()
        _ = try arguments.finish()
        switch HealthProbe(files).ask() {
        case .ready:
            StandardStream.output.writeLine("ready")
            return .fine
        case .failed(let reason):
            StandardStream.error.writeLine("bridgehost: \(reason)")
            return .problems
        }
    }
}
