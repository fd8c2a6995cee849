internal import JSON

/// What is logged, how and where.
struct LogSettings: Sendable, Equatable {
    /// How much a line matters; those that matter less than the chosen level are left out.
    enum Level: String, CaseIterable, Sendable {
        /// Something is not served as it should be.
        case error
        /// Somebody should look at it.
        case warning
        /// What happens.
        case info
        /// What helps to find a fault.
        case debug

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        /// Whether lines of that level are written where this one is chosen.
        func includes(_ level: Level) -> Bool { level.rank <= rank }
    }

    /// What lines look like.
    enum Format: String, CaseIterable, Sendable {
        /// For people; of the access log, the Combined Log Format.
        case text
        /// A JSON object a line.
        case json
    }

    /// Where a line for each answer goes.
    enum Access: Equatable, Sendable {
        /// Nowhere: who asked is personal data, and a balancer in front may log it already.
        case off
        /// To standard output, among the other lines.
        case standardOutput
        /// To a file.
        case file(String)
    }

    var level = Level.info
    var format = Format.text
    var access = Access.off
    /// Whether lines of the access log have the queries of URLs, where people put what is nobody's business.
    var hasQueries = false

    /// Whether all but the level is the same, which a reload can change.
    func isSameButLevel(as other: LogSettings) -> Bool {
        format == other.format && access == other.access && hasQueries == other.hasQueries
    }

    /// What a file may say of it.
    static let schema = ServerSchema.object([
        "level": [
            "enum": .array(Level.allCases.map { .string($0.rawValue) }), "default": "info",
            "description": "The least important lines that are written.",
        ],
        "format": [
            "enum": .array(Format.allCases.map { .string($0.rawValue) }), "default": "text",
            "description":
                "text is for people, and of the access log the Combined Log Format; json is an object a line.",
        ],
        "access": [
            "type": "string", "pattern": "^(off|stdout|/.*)$", "default": "off",
            "description":
                "Where a line for each answer goes: stdout, or a file's absolute path, opened again on SIGUSR1.",
        ],
        "query": [
            "type": "boolean", "default": false, "description": "Whether the access log has the queries of URLs.",
        ],
    ])
}

extension SettingsReader {
    func readLog(_ value: Located) -> LogSettings {
        var log = LogSettings()
        guard var reader = value.object else { return log }
        if let level = reader.value("level").flatMap({ choice(LogSettings.Level.self, $0) }) { log.level = level }
        if let format = reader.value("format").flatMap({ choice(LogSettings.Format.self, $0) }) { log.format = format }
        if let access = reader.value("access").flatMap(readAccess) { log.access = access }
        if let hasQueries = reader.value("query")?.bool { log.hasQueries = hasQueries }
        reader.finish()
        return log
    }

    private func choice<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type, _ value: Located)
        -> Choice?
    {
        guard let text = value.string else { return nil }
        let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return Choice(rawValue: text) ?? value.expected("one of \(choices)")
    }

    private func readAccess(_ value: Located) -> LogSettings.Access? {
        switch value.string {
        case nil: nil
        case "off": .off
        case "stdout": .standardOutput
        case let path? where path.utf8.first == UInt8(ascii: "/"): .file(path)
        default: value.expected("\"off\", \"stdout\" or the absolute path of a file")
        }
    }
}
