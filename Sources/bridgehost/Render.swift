internal import Bridges
internal import JSON
internal import Service
internal import System

/// `render`.
enum Render {
    static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
        var arguments = arguments
        let isBundle = arguments.flag("--bundle")
        let files = try arguments.files()
        let names = try arguments.finish("TENANT", "BRIDGE")
        let load = ServiceLoader(files).load()
        if isBundle, let bundle = load.pageBundle(tenant: names[0], bridge: names[1]) {
            StandardStream.output.write(bundle.bytes)
            let leftOut = bundle.leftOut.joined(separator: ", ")
            StandardStream.error.writeLine("bridgehost: left out, since a file can't carry it: \(leftOut)")
            return .fine
        }
        if !isBundle, let answer = load.pageAnswer(tenant: names[0], bridge: names[1]) {
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
