internal import Service
internal import System

/// How the command ends.
enum ExitStatus: Int32 {
    /// All is well.
    case fine = 0
    /// Problems were found; they were printed.
    case problems = 1
    /// The command was called wrongly.
    case usage = 2
}

/// A call that can't be understood.
enum UsageError: Error, CustomStringConvertible {
    case unknownCommand(String)
    case unknownOption(String)
    case missingValue(String)
    case missingOption(String)
    case tooManyArguments(String)
    case missingArguments(String)

    var description: String {
        switch self {
        case .unknownCommand(let name): "unknown command \"\(name)\""
        case .unknownOption(let name): "unknown option \(name)"
        case .missingValue(let name): "\(name) needs a value"
        case .missingOption(let name): "\(name) is missing"
        case .tooManyArguments(let text): "unexpected argument \"\(text)\""
        case .missingArguments(let names): "missing: \(names)"
        }
    }
}

/// The arguments of a subcommand, taken one by one.
struct Arguments {
    private var rest: [String]

    init(_ arguments: [String]) {
        rest = arguments
    }

    /// Takes a flag.
    mutating func flag(_ name: String) -> Bool {
        guard let index = rest.firstIndex(of: name) else { return false }
        rest.remove(at: index)
        return true
    }

    /// Takes every value of an option, given as `--name value` or `--name=value`.
    mutating func values(_ name: String) throws(UsageError) -> [String] {
        var values: [String] = []
        var others: [String] = []
        var index = 0
        while index < rest.count {
            let argument = rest[index]
            index += 1
            if argument.hasPrefix(name + "=") {
                values.append(String(argument.dropFirst(name.count + 1)))
            } else if argument == name {
                guard index < rest.count else { throw .missingValue(name) }
                values.append(rest[index])
                index += 1
            } else {
                others.append(argument)
            }
        }
        rest = others
        return values
    }

    /// Takes an option's value; the last one counts.
    mutating func value(_ name: String) throws(UsageError) -> String? {
        try values(name).last
    }

    /// Takes what stands alone and makes sure that nothing is left.
    mutating func finish(_ names: String...) throws(UsageError) -> [String] {
        if let option = rest.first(where: { $0.hasPrefix("-") }) { throw .unknownOption(option) }
        if rest.count > names.count { throw .tooManyArguments(rest[names.count]) }
        if rest.count < names.count { throw .missingArguments(names[rest.count...].joined(separator: " ")) }
        return rest
    }

    /// Takes the options that say where the files are.
    mutating func files() throws(UsageError) -> ServiceFiles {
        let environment = Environment.all
        return ServiceFiles(
            configDirectory: try value("--config") ?? environment["BRIDGEHOST_CONFIG"] ?? "config",
            publicDirectory: try value("--public") ?? environment["BRIDGEHOST_PUBLIC"] ?? "public",
            settings: try values("--set"),
            environment: environment
        )
    }
}
