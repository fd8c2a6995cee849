internal import JSON
internal import Service
internal import System

/// `schema`.
enum Schema {
    static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
        var arguments = arguments
        let directory = try arguments.value("--out")
        let files = try arguments.files()
        _ = try arguments.finish()
        let (schemas, problems) = ServiceLoader(files).schemas()
        for problem in problems { StandardStream.error.writeLine("\(problem)") }
        guard !schemas.isEmpty else { return .problems }
        do throws(SystemError) {
            let target = directory ?? files.configDirectory + "/schemas"
            try File.makeDirectory(target)
            for schema in schemas {
                try File.write(Array(schema.text.utf8), to: target + "/" + schema.name)
                StandardStream.output.writeLine("\(target)/\(schema.name)")
            }
            return .fine
        } catch {
            StandardStream.error.writeLine("bridgehost: \(error)")
            return .problems
        }
    }
}
