@testable import HTTP

/// Any bytes as what happens to a few connections: every one that waits has a deadline, deadlines pass in their order, and
/// no trickle of bytes puts one off.
enum Connections {
    private static let slots = 5

    static func check(_ bytes: [UInt8]) {
        var world = World()
        for event in bytes { world.take(event) }
        world.end()
    }

    private struct World {
        var lists = DeadlineLists(timeouts: Connections.timeouts)
        var connections = [Connection?](repeating: nil, count: Connections.slots)
        var now = 1_000

        /// The low bits choose a connection, the high ones what happens to it.
        mutating func take(_ event: UInt8) {
            let slot = Int(event & 7)
            let kind = Int(event >> 3)
            guard slot < Connections.slots else { return tick(kind) }
            guard var connection = connections[slot] else { return open(slot, usesTLS: kind & 1 == 1) }
            guard kind < 31 else { return close(slot) }
            let next = Deadline.allCases[kind % Deadline.allCases.count]
            let amount = [0, 1, 700, 4_095, 4_096, 70_000][kind / 6]
            connection.progressed(next, amount, now)
            let restarts = connection.state.wait(for: next, progress: amount)
            expect(connection.state.deadline == next, "\(connection.state.deadline) in place of \(next)")
            expect(restarts == (connection.started == now && connection.isFresh), "\(next) restarts: \(restarts)")
            if restarts { lists.arm(slot, next, now: now) }
            connection.isFresh = false
            connections[slot] = connection
            checkNext()
        }

        mutating func open(_ slot: Int, usesTLS: Bool) {
            let connection = Connection(usesTLS: usesTLS, now: now)
            connections[slot] = connection
            lists.arm(slot, connection.state.deadline, now: now)
        }

        mutating func close(_ slot: Int) {
            lists.disarm(slot)
            connections[slot] = nil
        }

        mutating func tick(_ steps: Int) {
            now += steps * 3
            while let slot = lists.expired(now: now) {
                guard let connection = connections[slot] else { return expect(false, "a closed connection expired") }
                expect(connection.due <= now, "due at \(connection.due), expired at \(now)")
                expect(connection.isExpiryRight, "\(connection.state.expiry) after \(connection.state.deadline)")
                connections[slot] = nil
            }
            expect(connections.allSatisfy { $0.map { $0.due > now } ?? true }, "one is overdue at \(now)")
            checkNext()
        }

        func checkNext() {
            let earliest = connections.compactMap { $0?.due }.min()
            expect(lists.next == earliest, "next is \(lists.next ?? -1), but \(earliest ?? -1) is due")
        }

        /// Nothing waits for ever.
        mutating func end() {
            tick(1_000)
            expect(connections.allSatisfy { $0 == nil } && lists.next == nil, "a connection without a deadline")
        }
    }

    /// A connection and, beside its state, what should become of its time.
    private struct Connection {
        var state: ConnectionState
        var started: Int
        var waitsFor: Deadline
        var progress = 0
        var isFresh = false

        init(usesTLS: Bool, now: Int) {
            state = ConnectionState(usesTLS: usesTLS)
            started = now
            waitsFor = usesTLS ? .handshake : .idle
        }

        var due: Int { started + Connections.timeouts.duration(of: waitsFor) }

        /// By the words of ``ConnectionState``, written another way.
        mutating func progressed(_ next: Deadline, _ amount: Int, _ now: Int) {
            let isOther = next != waitsFor
            progress = isOther ? 0 : progress + amount
            let isEnough =
                switch next {
                case .handshake, .linger: false
                case .idle, .head: amount > 0
                case .body, .write: progress >= 4_096
                }
            guard isOther || isEnough else { return }
            (started, waitsFor, progress, isFresh) = (now, next, 0, true)
        }

        var isExpiryRight: Bool {
            switch (waitsFor, state.expiry) {
            case (.head, .reject(.timedOut, .headTimeout)), (.body, .reject(.timedOut, .bodyTimeout)): true
            case (.handshake, .close(.handshakeTimeout)), (.write, .close(.writeTimeout)): true
            case (.idle, .close(.idleTimeout)), (.linger, .close(.ended)): true
            default: false
            }
        }
    }

    private static let timeouts = Timeouts(handshake: 40, head: 60, body: 60, write: 90, idle: 200, linger: 10)
}
