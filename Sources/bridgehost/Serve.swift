internal import Service

/// `serve`.
enum Serve {
    static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
        var arguments = arguments
        let isStrict = arguments.flag("--strict")
        let inspects = arguments.flag("--inspect")
        let files = try arguments.files()
        _ = try arguments.finish()
        return switch ServiceProcess(files, isStrict: isStrict, inspects: inspects).run() {
        case .stopped: .fine
        case .failed: .problems
        case .refused: .usage
        }
    }
}
