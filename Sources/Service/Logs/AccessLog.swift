internal import Server
internal import Synchronization
internal import System

/// The access log: workers tell, one thread of its own writes, and whatever happens to that thread holds up nobody.
final class AccessLog: Sendable {
    /// What is asked of the thread.
    fileprivate struct Wish: OptionSet {
        let rawValue: Int
        static let reopen = Wish(rawValue: 1)
        static let finish = Wish(rawValue: 2)
    }

    /// Bytes that were written.
    fileprivate let written = Atomic<Int>(0)
    /// Lines that were to be written and could not be.
    fileprivate let lost = Atomic<Int>(0)
    fileprivate let ended: Wakeup
    private let wishes = Atomic<Int>(0)
    private let journal: Journal

    /// Opens the log and starts its thread.
    ///
    /// - Throws: ``System/SystemError`` for a file that can't be opened.
    init(_ journal: Journal, _ settings: LogSettings, _ labels: AnswerLabels, _ lines: LogLines) throws(SystemError) {
        self.journal = journal
        ended = try Wakeup()
        let writer = try AccessLogWriter(journal, settings, labels, lines)
        try Thread.start(name: "access-log") { [self] in writer.run(for: self) }
    }

    /// Answers that have no line.
    var dropped: Int { journal.dropped + lost.load(ordering: .relaxed) }

    /// Opens the file again, for whoever has renamed it; what is not written by then goes to the new one.
    func reopen() { ask(.reopen) }

    /// How often the end is waited for, and how long each time, in milliseconds.
    private static let rounds = 5
    private static let round = 1_000

    /// Writes all that was told, and ends; waits for that as long as lines are taken, and no longer than some seconds.
    func finish() {
        ask(.finish)
        guard let poller = try? Poller(capacity: 1) else { return }
        guard (try? poller.add(ended.descriptor, for: .read, token: 0)) != nil else { return }
        for _ in 0..<Self.rounds {
            let before = written.load(ordering: .relaxed)
            guard poller.waitOrRest(timeout: Self.round, onFailure: { _ in }) == 0 else { return }
            guard written.load(ordering: .relaxed) > before else { return }
        }
    }

    private func ask(_ wish: Wish) {
        wishes.bitwiseOr(wish.rawValue, ordering: .sequentiallyConsistent)
        journal.wake()
    }

    /// What is asked for and not yet taken.
    fileprivate var isAsked: Bool { wishes.load(ordering: .sequentiallyConsistent) != 0 }

    fileprivate func take(_ wish: Wish) -> Bool {
        Wish(rawValue: wishes.bitwiseAnd(~wish.rawValue, ordering: .sequentiallyConsistent).oldValue).contains(wish)
    }
}

/// How many answers have no line in the log.
struct AccessLogMetrics: MetricsSource {
    let log: AccessLog?
    let lines: LogLines

    func write(into writer: inout MetricsWriter) {
        writer.add(
            "bridgehost_access_log_dropped_total",
            .counter,
            "Answers without a line in the access log, since it was not taken in time or could not be written.",
            log?.dropped ?? 0
        )
        writer.add(
            "bridgehost_log_lines_dropped_total",
            .counter,
            "Other lines that were not taken in time.",
            lines.dropped
        )
    }
}

/// The thread of an access log.
private final class AccessLogWriter {
    /// How long, in milliseconds, it gathers lines before it writes them.
    private static let gathering = 10
    /// How long, in milliseconds, one attempt to write may take.
    private static let patience = 100
    /// Bytes that are written at once.
    private static let batch = 64 << 10

    private let journal: Journal
    private let settings: LogSettings
    private let lines: LogLines
    private let poller: Poller
    private var output: LogOutput
    private var line: AccessLine
    private var texts: [UInt8] = []
    private var gathered: [UInt8] = []
    /// Whether the last line that was written is a part of one.
    private var isTorn = false
    private var isFailing = false
    /// Which worker's lines are written first.
    private var turn = 0

    init(_ journal: Journal, _ settings: LogSettings, _ labels: AnswerLabels, _ lines: LogLines) throws(SystemError) {
        self.journal = journal
        self.settings = settings
        self.lines = lines
        line = AccessLine(format: settings.format, hasQueries: settings.hasQueries, labels: labels)
        output = try Self.open(settings)
        poller = try Poller(capacity: 1)
        try poller.add(journal.descriptor, for: .read, token: 0)
    }

    private static func open(_ settings: LogSettings) throws(SystemError) -> LogOutput {
        if case .file(let path) = settings.access { return try LogOutput(file: path) }
        return try LogOutput(.output)
    }

    func run(for log: AccessLog) {
        while true {
            if journal.fallAsleep(), !log.isAsked { _ = poller.waitOrRest(timeout: nil) { _ in } }
            if !log.isAsked { Thread.rest(milliseconds: Self.gathering) }
            writeAll(for: log)
            if log.take(.reopen) { reopen() }
            if log.take(.finish) { break }
        }
        if log.take(.reopen) { reopen() }
        writeAll(for: log)
        log.ended.wake()
    }

    private func writeAll(for log: AccessLog) {
        repeat {
            gathered.removeAll(keepingCapacity: true)
            if isTorn { gathered.append(0x0A) }
            // When there is more than can be written, all workers lose alike.
            for index in journal.rings.indices { gather(journal.rings[(index + turn) % journal.rings.count]) }
            turn = (turn + 1) % journal.rings.count
            if gathered.count > (isTorn ? 1 : 0) { write(for: log) }
        } while !log.isAsked && journal.rings.contains { !$0.isEmpty }
    }

    private func gather(_ ring: RecordRing) {
        while gathered.count < Self.batch, let record = ring.take(&texts) { line.append(record, texts, to: &gathered) }
    }

    /// Writes what was gathered, however long nobody takes it; what can't be written is lost, and counted.
    private func write(for log: AccessLog) {
        var offset = 0
        while offset < gathered.count {
            let outcome = output.write(gathered, from: offset, patience: Self.patience)
            offset += outcome.written
            if outcome.written > 0 {
                isTorn = gathered[offset - 1] != 0x0A
                log.written.add(outcome.written, ordering: .relaxed)
            }
            guard let error = outcome.error else { continue }
            log.lost.add(gathered[offset...].count { $0 == 0x0A }, ordering: .relaxed)
            if !isFailing { lines.write("access log: \(error)", .error, prefix: "bridgehost: ", to: .error) }
            isFailing = true
            return
        }
        isFailing = false
    }

    private func reopen() {
        guard case .file(let path) = settings.access else { return }
        do throws(SystemError) {
            output = try Self.open(settings)
            isTorn = false
            lines.write("access log: opened \(path) again", .info)
        } catch {
            lines.write("access log: \(error); lines go where they went", .error, prefix: "bridgehost: ", to: .error)
        }
    }
}
