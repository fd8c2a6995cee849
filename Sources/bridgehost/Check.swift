internal import JSON
internal import Service
internal import System

/// `check`.
enum Check {
    static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
        var arguments = arguments
        let files = try arguments.files()
        _ = try arguments.finish()
        let load = ServiceLoader(files).load()
        for problem in load.problems { StandardStream.output.writeLine("\(problem)") }
        let errors = load.problems.count { $0.severity == .error }
        let warnings = load.problems.count - errors
        StandardStream.output.writeLine("\(load.tenantCount) tenants, \(errors) errors, \(warnings) warnings")
        return errors == 0 ? .fine : .problems
    }
}
