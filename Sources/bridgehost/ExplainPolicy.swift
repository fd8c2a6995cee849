internal import JSON
internal import Service
internal import System

/// `policy`.
enum ExplainPolicy {
    static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
        var arguments = arguments
        let files = try arguments.files()
        let names = try arguments.finish("TENANT", "BRIDGE")
        let (text, problems) = ServiceLoader(files).policyText(tenant: names[0], bridge: names[1])
        if let text {
            StandardStream.output.write(Array((text + "\n").utf8))
            return .fine
        }
        for problem in problems { StandardStream.error.writeLine("\(problem)") }
        StandardStream.error.writeLine("bridgehost: no page of bridge \(names[1]) for tenant \(names[0])")
        return .problems
    }
}
