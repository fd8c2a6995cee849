import Glibc
import HTTP
import Synchronization
import System
import Testing

@testable import Server

@Suite("A ring of records")
struct RecordRingTests {
    private func text(_ number: Int, length: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(number & 0x7F), count: length)
    }

    private func add(_ number: Int, path: Int, to ring: RecordRing) {
        var (batch, record) = (RecordBatch(), RequestRecord())
        let text = text(number, length: path)
        batch.add(.path, text.span, ByteRange(0, text.count), to: &record)
        record.bytes = number
        batch.texts.withUnsafeBytes { ring.add(record, $0) }
    }

    @Test("gives what was put in, in its order, over every place where it begins anew")
    func keepsOrder() {
        let ring = RecordRing(capacity: 1_024)
        var texts: [UInt8] = []
        for number in 0..<5_000 {
            add(number, path: number % 97, to: ring)
            let record = ring.take(&texts)
            let isSame = record?.bytes == number && texts == text(number, length: number % 97)
            if !isSame { Issue.record("\(number)") }
        }
        #expect(ring.isEmpty && ring.dropped == 0)
        #expect(ring.take(&texts) == nil)
    }

    @Test("drops and counts what does not fit, and takes more when there is room")
    func drops() {
        let ring = RecordRing(capacity: 1_024)
        var texts: [UInt8] = []
        for number in 0..<100 { add(number, path: 50, to: ring) }
        var taken: [Int] = []
        while let record = ring.take(&texts) { taken.append(record.bytes) }
        #expect(taken == Array(0..<taken.count) && !taken.isEmpty)
        #expect(taken.count + ring.dropped == 100)
        add(100, path: 50, to: ring)
        #expect(ring.take(&texts)?.bytes == 100)
    }

    @Test("keeps texts up to their limits")
    func bounds() {
        var (batch, record) = (RecordBatch(), RequestRecord())
        let text = [UInt8](repeating: 0x78, count: 60_000)
        for kind in RequestRecord.Texts.allCases {
            batch.add(kind, text.span, ByteRange(0, text.count), to: &record)
            #expect(record.lengths[kind.rawValue] <= 1_024)
        }
        #expect(batch.texts.count < 3_000)
    }

    @Test("is one thread's to fill while another takes: nothing is torn, and all that is not dropped comes")
    func isSharedByTwo() throws {
        let ring = RecordRing(capacity: 4_096)
        let count = 20_000
        let done = Done()
        try Thread.start(name: "filler") {
            for number in 0..<count { RecordRingTests().add(number, path: number % 61, to: ring) }
            done.flag.store(true, ordering: .releasing)
        }
        var (texts, next, seen) = ([UInt8](), 0, 0)
        while !done.flag.load(ordering: .acquiring) || !ring.isEmpty {
            guard let record = ring.take(&texts) else { continue }
            let isWhole = record.bytes >= next && texts == text(record.bytes, length: record.bytes % 61)
            if !isWhole { Issue.record("\(record.bytes) after \(next)") }
            next = record.bytes + 1
            seen += 1
        }
        #expect(seen + ring.dropped == count)
    }

    private final class Done: Sendable {
        let flag = Atomic<Bool>(false)
    }
}

@Suite("What is counted of answers")
struct CountingTests {
    @Test("is by label and class of status, in any number of labels")
    func countsByLabel() {
        let counts = RequestCounts()
        counts.reserve(1_000)
        for (label, status) in [(0, 200), (255, 304), (256, 404), (999, 503), (999, 599), (0, 101)] {
            counts.count(label: label, status: status, bytes: 10)
        }
        #expect(counts.row(0).classes == [1, 1, 0, 0, 0])
        #expect(counts.row(255).classes == [0, 0, 1, 0, 0])
        #expect(counts.row(256).classes == [0, 0, 0, 1, 0])
        #expect(counts.row(999).classes == [0, 0, 0, 0, 2])
        #expect(counts.row(999).bytes == 20)
        #expect(counts.row(5_000).bytes == 0)
    }

    @Test("goes to nobody if there is no room for a label, and stays where it is when room is made")
    func losesNothing() {
        let counts = RequestCounts()
        counts.count(label: 700, status: 200, bytes: 1)
        counts.count(label: 3, status: 200, bytes: 1)
        counts.reserve(800)
        counts.count(label: 700, status: 200, bytes: 1)
        #expect([0, 3, 700].map { counts.row($0).bytes } == [1, 1, 1])
    }

    @Test("is how long answers took: at a bound, above all, and their sum")
    func countsDurations() {
        let durations = Durations()
        for duration in [0, 100_000, 100_001, 2_000_000, 60_000_000_000] { durations.count(duration) }
        let counted = durations.snapshot
        #expect(counted.count == Durations.bounds.count + 1)
        #expect(counted[0] == 2 && counted[1] == 1 && counted[4] == 1 && counted.last == 1)
        #expect(counted.reduce(0, +) == 5)
        #expect(durations.sum == 60_002_200_001)
    }

    @Test("is each request of a connection, pipelined or in pieces, with its bytes and what it waits for")
    func countsServing() throws {
        let service = try TestService()
        let peer = try #require(Peer(service.address))
        peer.send(request("/1") + request("/2") + request("/3"))
        let answers = peer.receive(until: "[/3]")
        let counters = service.server.counters[0]
        #expect(service.eventually { counters.durations[0].snapshot.reduce(0, +) == 3 })
        #expect(counters.requests.row(0).classes == [0, 3, 0, 0, 0])
        #expect(counters.requests.row(0).bytes == answers.utf8.count)
        #expect(counters[.bytesSent] == answers.utf8.count)
        #expect(counters[.bytesReceived] == 3 * request("/1").utf8.count)
        #expect(service.eventually { counters.waiting(for: .idle) == 1 })
        peer.send("GET / HTTP/1.1\r\n")
        #expect(service.eventually { counters.waiting(for: .head) == 1 && counters.waiting(for: .idle) == 0 })
        peer.send("Host: a\r\nContent-Length: x\r\n\r\n")
        #expect(peer.receiveAll().hasPrefix("HTTP/1.1 400 "))
        #expect(service.eventually { counters.requests.row(0).classes == [0, 3, 0, 1, 0] })
    }

    @Test("leaves no connection behind in any state")
    func countsOut() throws {
        let service = try TestService()
        for _ in 0..<5 {
            let peer = try #require(Peer(service.address))
            peer.send(request("/", "Connection: close\r\n"))
            _ = peer.receiveAll()
        }
        let counters = service.server.counters[0]
        #expect(service.eventually { service.server.connectionLimits.current == 0 })
        #expect(service.eventually { Deadline.allCases.allSatisfy { counters.waiting(for: $0) == 0 } })
    }
}
