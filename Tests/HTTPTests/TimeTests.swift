import Testing

@testable import HTTP

/// `#expect` can't call what changes a value.
private func expect(_ condition: Bool, _ location: SourceLocation = #_sourceLocation) {
    #expect(condition, sourceLocation: location)
}

@Suite("A connection's time")
struct TimeTests {
    @Test("starts anew when it waits for something else")
    func startsAnew() {
        var state = ConnectionState(usesTLS: true)
        #expect(state.deadline == .handshake)
        expect(state.wait(for: .idle, progress: 0))
        expect(state.wait(for: .head, progress: 0))
        expect(state.wait(for: .body, progress: 0))
        expect(state.wait(for: .write, progress: 0))
        expect(state.wait(for: .linger, progress: 0))
    }

    @Test("is not prolonged by a handshake or goodbye that goes on", arguments: [Deadline.handshake, .linger])
    func isFixed(deadline: Deadline) {
        var state = ConnectionState(usesTLS: true)
        _ = state.wait(for: deadline, progress: 0)
        expect(!state.wait(for: deadline, progress: 1_000_000))
    }

    @Test("for a request is prolonged by an answer alone", arguments: [Deadline.head, .idle])
    func needsAnswers(deadline: Deadline) {
        var state = ConnectionState(usesTLS: true)
        _ = state.wait(for: deadline, progress: 0)
        expect(!state.wait(for: deadline, progress: 0))
        expect(state.wait(for: deadline, progress: 1))
    }

    @Test(
        "for content and response is prolonged by real progress, not by single bytes",
        arguments: [Deadline.body, .write]
    )
    func needsProgress(deadline: Deadline) {
        var state = ConnectionState(usesTLS: false)
        _ = state.wait(for: deadline, progress: 0)
        for _ in 0..<(ConnectionState.progressUnit - 1) {
            let prolonged = state.wait(for: deadline, progress: 1)
            #expect(!prolonged)
        }
        expect(state.wait(for: deadline, progress: 1))
        expect(!state.wait(for: deadline, progress: 1))
    }

    @Test("ends as what it waited for says")
    func ends() {
        let ends: [(Deadline, ConnectionState.Expiry)] = [
            (.handshake, .close(.handshakeTimeout)), (.head, .reject(.timedOut)), (.body, .reject(.timedOut)),
            (.write, .close(.writeTimeout)), (.idle, .close(.idleTimeout)), (.linger, .close(.ended)),
        ]
        for (deadline, expiry) in ends {
            var state = ConnectionState(usesTLS: true)
            _ = state.wait(for: deadline, progress: 0)
            #expect(state.expiry == expiry)
        }
    }

    @Test("among many is kept as a plain list of all would keep it")
    func agreesWithModel() {
        var timeouts = Timeouts()
        timeouts.idle = 50
        timeouts.head = 20
        timeouts.body = 30
        var lists = DeadlineLists(timeouts: timeouts)
        var model: [Int: Int] = [:]
        var random = SplitMix(state: 7)
        for now in 0..<20_000 {
            let slot = Int(random.next() % 40)
            switch random.next() % 4 {
            case 0: lists.disarm(slot); model[slot] = nil
            case 1: lists.arm(slot, .idle, now: now); model[slot] = now + 50
            case 2: lists.arm(slot, .head, now: now); model[slot] = now + 20
            default: lists.arm(slot, .body, now: now); model[slot] = now + 30
            }
            #expect(lists.next == model.values.min())
            var expired: Set<Int> = []
            while let slot = lists.expired(now: now) { expired.insert(slot) }
            #expect(expired == Set(model.filter { $0.value <= now }.keys))
            for slot in expired { model[slot] = nil }
        }
    }
}

/// A small generator with a seed, so that each run is the same.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("Any bytes at all")
struct MutationTests {
    @Test("neither trap the decoder nor mean another thing in other pieces")
    func mutate() {
        let seeds = [
            "GET /a?b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;a=\"b\"\r\nhello\r\n0\r\nT: v\r\n\r\nGET / HTTP/1.1\r\nHost: b\r\n\r\n",
            "POST http://a:1/ HTTP/1.1\r\nHost: b\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc",
        ].map { Array($0.utf8) }
        let odd: [UInt8] = [0, 9, 10, 13, 32, 34, 35, 37, 44, 58, 59, 92, 127, 128, 255]
        var random = SplitMix(state: 1)
        for round in 0..<20_000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0...(random.next() % 3) {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[place] = odd[Int(random.next() % UInt64(odd.count))]
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(odd[Int(random.next() % UInt64(odd.count))], at: place)
                default: bytes.insert(contentsOf: bytes[place...].prefix(Int(random.next() % 9)), at: place)
                }
            }
            let split = Int(random.next() % UInt64(bytes.count))
            #expect(decode([bytes]) == decode([Array(bytes[..<split]), Array(bytes[split...])]), "\(bytes)")
        }
    }
}
