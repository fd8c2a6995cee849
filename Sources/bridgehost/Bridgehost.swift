internal import Service
internal import System

/// The command: takes its arguments apart and runs one subcommand, a file each.
@main
struct Bridgehost {
    static func main() {
        StandardStream.reserve()
        let result: ExitStatus
        do throws(UsageError) {
            result = try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            StandardStream.error.writeLine("bridgehost: \(error)")
            StandardStream.error.writeLine("Run bridgehost --help for what there is.")
            result = .usage
        }
        System.exit(result.rawValue)
    }

    private static func run(_ arguments: [String]) throws(UsageError) -> ExitStatus {
        guard let first = arguments.first, !first.hasPrefix("-") else {
            if arguments.contains("--help") || arguments.contains("-h") { return printed(Help.text) }
            if arguments == ["--version"] { return printed("bridgehost \(version)") }
            return try Serve.run(Arguments(arguments))
        }
        let rest = Array(arguments.dropFirst())
        if rest.contains("--help") || rest.contains("-h") || first == "help" { return printed(Help.text) }
        switch first {
        case "serve": return try Serve.run(Arguments(rest))
        case "check": return try Check.run(Arguments(rest))
        case "render": return try Render.run(Arguments(rest))
        case "policy": return try ExplainPolicy.run(Arguments(rest))
        case "schema": return try Schema.run(Arguments(rest))
        case "certificate": return try MakeCertificate.run(Arguments(rest))
        case "token": return try MakeToken.run(Arguments(rest))
        case "healthcheck": return try HealthCheck.run(Arguments(rest))
        default: throw .unknownCommand(first)
        }
    }

    private static func printed(_ text: String) -> ExitStatus {
        StandardStream.output.write(Array((text + "\n").utf8))
        return .fine
    }
}
