import Testing

@testable import HTTP

@Suite("Deadlines of many connections")
struct DeadlineListsTests {
    private let timeouts = Timeouts(handshake: 10, head: 20, body: 30, write: 40, idle: 50, linger: 5)

    private func expired(_ lists: inout DeadlineLists, now: Int) -> [Int] {
        var slots: [Int] = []
        while let slot = lists.expired(now: now) { slots.append(slot) }
        return slots
    }

    @Test("pass after the time of their kind, not before, and once", arguments: Deadline.allCases)
    func pass(deadline: Deadline) {
        let duration = [10, 20, 30, 40, 50, 5][Int(deadline.rawValue)]
        var lists = DeadlineLists(timeouts: timeouts)
        #expect(lists.next == nil)
        lists.arm(3, deadline, now: 1_000)
        #expect(lists.next == 1_000 + duration)
        #expect(expired(&lists, now: 999 + duration) == [])
        #expect(expired(&lists, now: 1_000 + duration) == [3])
        #expect(lists.next == nil)
        #expect(expired(&lists, now: .max) == [])
    }

    @Test("pass in the order in which they began")
    func passInOrder() {
        var lists = DeadlineLists(timeouts: timeouts)
        for (now, slot) in [5, 2, 9, 0, 7].enumerated() { lists.arm(slot, .idle, now: now) }
        lists.arm(2, .idle, now: 5)
        #expect(expired(&lists, now: 52) == [5, 9])
        #expect(lists.next == 53)
        #expect(expired(&lists, now: 100) == [0, 7, 2])
    }

    @Test("tell who has waited longest for something of a kind")
    func tellOldest() {
        var lists = DeadlineLists(timeouts: timeouts)
        #expect(lists.oldest(.idle) == nil)
        for slot in [4, 1] { lists.arm(slot, .idle, now: slot) }
        lists.arm(0, .handshake, now: 0)
        #expect(lists.oldest(.idle) == 4)
        lists.arm(4, .idle, now: 9)
        #expect(lists.oldest(.idle) == 1)
        #expect(lists.oldest(.idle) { $0 != 1 } == 4)
        #expect(lists.oldest(.idle) { $0 > 4 } == nil)
        #expect(lists.oldest(.handshake) == 0)
    }

    @Test("tell who has waited longest for any of some kinds, whichever of them passes first")
    func tellOldestOfSome() {
        var lists = DeadlineLists(timeouts: timeouts)
        #expect(lists.oldest(of: [.head, .write]) == nil)
        lists.arm(1, .write, now: 100)
        lists.arm(2, .head, now: 101)
        lists.arm(3, .idle, now: 0)
        #expect(lists.oldest(of: [.head, .write]) == 1)
        lists.arm(1, .write, now: 102)
        #expect(lists.oldest(of: [.head, .write]) == 2)
    }

    @Test("that begin take the place of what was running")
    func replace() {
        var lists = DeadlineLists(timeouts: timeouts)
        lists.arm(1, .idle, now: 0)
        lists.arm(1, .linger, now: 0)
        #expect(expired(&lists, now: 1_000) == [1])
    }

    @Test(
        "that are stopped never pass, first, last, between or alone",
        arguments: [[0], [1], [2], [0, 1, 2], [2, 0]]
    )
    func stop(stopped: [Int]) {
        var lists = DeadlineLists(timeouts: timeouts)
        for slot in 0..<3 { lists.arm(slot, .head, now: slot) }
        for slot in stopped + stopped { lists.disarm(slot) }
        lists.disarm(1_000_000)
        #expect(expired(&lists, now: 100) == [0, 1, 2].filter { !stopped.contains($0) })
    }

    @Test("are kept as a plain table of all would keep them", arguments: 0..<8)
    func agreeWithModel(seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        var lists = DeadlineLists(timeouts: timeouts)
        var model: [Int: Int] = [:]
        var now = 0
        for _ in 0..<5_000 {
            now += random.below(4) * random.below(4)
            let slot = random.below(40)
            if random.below(4) == 0 {
                lists.disarm(slot)
                model[slot] = nil
            } else {
                let kind = Deadline.allCases[random.below(6)]
                lists.arm(slot, kind, now: now)
                model[slot] = now + timeouts.duration(of: kind)
            }
            if lists.next != model.values.min() { Issue.record("next is \(String(describing: lists.next)) at \(now)") }
            guard random.below(3) == 0 else { continue }
            let passed = expired(&lists, now: now).sorted()
            if passed != model.filter({ $0.value <= now }).keys.sorted() { Issue.record("\(passed) passed at \(now)") }
            for slot in passed { model[slot] = nil }
        }
    }
}
