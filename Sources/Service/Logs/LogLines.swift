internal import HTTP
internal import Synchronization
internal import System

/// The lines that the process tells of itself: who reads none of them holds nothing up.
final class LogLines: Sendable {
    /// How long, in milliseconds, a stream may take to take a line; after that nothing waits for it until it takes one.
    private static let patience = 1_000

    private let chosen = Mutex(LogSettings.Level.info)
    private let isJSON = Atomic<Bool>(false)
    private let isOutputStalled = Atomic<Bool>(false)
    private let isErrorStalled = Atomic<Bool>(false)
    private let droppedCount = Atomic<Int>(0)

    /// Lines that no one took in time.
    var dropped: Int { droppedCount.load(ordering: .relaxed) }

    /// The least important lines that are written.
    var level: LogSettings.Level {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }

    /// Which lines are written from now on, and how.
    func configure(_ settings: LogSettings) {
        level = settings.level
        isJSON.store(settings.format == .json, ordering: .relaxed)
    }

    /// Writes a line if its level is wanted.
    ///
    /// - Parameter prefix: what stands before the message in a line for people, where its level is a member in JSON.
    func write(_ message: String, _ level: LogSettings.Level, prefix: String = "", to stream: StandardStream = .output)
    {
        guard self.level.includes(level) else { return }
        let isJSON = isJSON.load(ordering: .relaxed)
        let line = isJSON ? Self.json(message, level, time: Clock.wallMilliseconds) : prefix + message
        let isTaken =
            stream == .output ? offer(line, to: stream, isOutputStalled) : offer(line, to: stream, isErrorStalled)
        if !isTaken { droppedCount.add(1, ordering: .relaxed) }
    }

    private func offer(_ line: String, to stream: StandardStream, _ isStalled: borrowing Atomic<Bool>) -> Bool {
        let isTaken = stream.offerLine(line, patience: isStalled.load(ordering: .relaxed) ? 0 : Self.patience)
        isStalled.store(!isTaken, ordering: .relaxed)
        return isTaken
    }

    /// A line as a JSON object.
    ///
    /// - Parameter time: milliseconds since 1970 in UTC.
    static func json(_ message: String, _ level: LogSettings.Level, time: Int) -> String {
        var line = Array("{\"time\":\"".utf8) + LogDate.rfc3339(time / 1_000) + LogDate.fraction(time % 1_000)
        line += "\",\"level\":\"\(level.rawValue)\",\"message\":\"".utf8
        LogText.appendJSON(Array(message.utf8)[...], limit: .max / 2, to: &line)
        return String(decoding: line + "\"}".utf8, as: UTF8.self)
    }
}
