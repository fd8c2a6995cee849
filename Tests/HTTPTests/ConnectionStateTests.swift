import Testing

@testable import HTTP

@Suite("A connection's time")
struct ConnectionStateTests {
    /// A connection that waits for something, and whether its time starts anew with each further progress.
    private func prolongs(_ deadline: Deadline, by amounts: [Int]) -> [Bool] {
        var state = ConnectionState(usesTLS: deadline != .handshake)
        _ = state.wait(for: deadline == .idle ? .head : .idle, progress: 0)
        _ = state.wait(for: deadline, progress: 0)
        return amounts.map { state.wait(for: deadline, progress: $0) }
    }

    @Test("begins with the handshake if there is one, else with the first request")
    func begins() {
        #expect(ConnectionState(usesTLS: true).deadline == .handshake)
        #expect(ConnectionState(usesTLS: false).deadline == .idle)
    }

    @Test("starts anew whenever it waits for something else", arguments: Deadline.allCases)
    func startsAnew(deadline: Deadline) {
        for other in Deadline.allCases where other != deadline {
            var state = ConnectionState(usesTLS: true)
            _ = state.wait(for: deadline, progress: 0)
            let isNew = state.wait(for: other, progress: 0)
            #expect(isNew, "\(other)")
            #expect(state.deadline == other)
        }
    }

    @Test("is not prolonged by a handshake or goodbye that goes on", arguments: [Deadline.handshake, .linger])
    func isFixed(deadline: Deadline) { #expect(prolongs(deadline, by: [0, 1, 1_000_000]) == [false, false, false]) }

    @Test("for a request is prolonged by an answer alone", arguments: [Deadline.head, .idle])
    func needsAnswers(deadline: Deadline) {
        #expect(prolongs(deadline, by: [0, 0, 1, 0, 2]) == [false, false, true, false, true])
    }

    @Test("for content and response is prolonged by real progress alone", arguments: [Deadline.body, .write])
    func needsProgress(deadline: Deadline) {
        let unit = ConnectionState.progressUnit
        #expect(prolongs(deadline, by: [0, unit - 1, 1, 1, unit - 1]) == [false, false, true, false, true])
        #expect(prolongs(deadline, by: [unit, 0, unit * 3, unit - 1, 0]) == [true, false, true, false, false])
        let drops = prolongs(deadline, by: [Int](repeating: 1, count: unit * 3))
        #expect(drops.count { $0 } == 3)
    }

    @Test("counts no progress of one wait for another")
    func forgetsProgress() {
        var state = ConnectionState(usesTLS: false)
        _ = state.wait(for: .body, progress: 0)
        _ = state.wait(for: .body, progress: ConnectionState.progressUnit - 1)
        _ = state.wait(for: .write, progress: 0)
        _ = state.wait(for: .body, progress: 0)
        let isProlonged = state.wait(for: .body, progress: 1)
        #expect(!isProlonged)
    }

    @Test(
        "ends as what it waited for says",
        arguments: [
            (Deadline.handshake, ConnectionState.Expiry.close(.handshakeTimeout)),
            (.head, .reject(.timedOut, .headTimeout)),
            (.body, .reject(.timedOut, .bodyTimeout)), (.write, .close(.writeTimeout)), (.idle, .close(.idleTimeout)),
            (.linger, .close(.ended)),
        ]
    )
    func ends(deadline: Deadline, expiry: ConnectionState.Expiry) {
        var state = ConnectionState(usesTLS: true)
        _ = state.wait(for: deadline, progress: 0)
        #expect(state.expiry == expiry)
    }
}
