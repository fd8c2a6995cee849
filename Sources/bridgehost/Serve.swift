internal import Service

/// `serve`.
enum Serve {
    static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
        var arguments = arguments
        let isStrict = arguments.flag("--strict")
        let files = try arguments.files()
        _ = try arguments.finish()
        return switch ServiceProcess(files, isStrict: isStrict).run() {
        case .stopped: .fine
        case .failed: .problems
        }
    }
}
