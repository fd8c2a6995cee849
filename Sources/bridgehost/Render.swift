internal import JSON
internal import Service
internal import System

/// `render`.
enum Render {
    static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
        var arguments = arguments
        let files = try arguments.files()
        let names = try arguments.finish("TENANT", "BRIDGE")
        let load = ServiceLoader(files).load()
        if let answer = load.pageAnswer(tenant: names[0], bridge: names[1]) {
            StandardStream.output.write(answer)
            return .fine
        }
        for problem in load.problems where problem.severity == .error {
            StandardStream.error.writeLine("\(problem)")
        }
        StandardStream.error.writeLine("bridgehost: no page of bridge \(names[1]) for tenant \(names[0])")
        return .problems
    }
}
