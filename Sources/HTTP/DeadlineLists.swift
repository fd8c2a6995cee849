/// The running deadlines of many connections, by slot number.
///
/// Each kind of deadline has one duration, so its list is sorted by age without any searching: arming, disarming and
/// finding the next to pass take the same few steps for ten connections and for ten thousand. Times are milliseconds of
/// one monotonic clock.
public struct DeadlineLists: Sendable {
    private struct Node {
        var previous: Int32 = -1
        var next: Int32 = -1
        var kind: Deadline?
        var due = 0
    }

    private struct Ends {
        var first: Int32 = -1
        var last: Int32 = -1
    }

    private var nodes: [Node] = []
    private var lists = [Ends](repeating: Ends(), count: Deadline.allCases.count)
    private let timeouts: Timeouts

    /// Empty lists.
    public init(timeouts: Timeouts) {
        self.timeouts = timeouts
    }

    /// Starts the time of `kind` for a slot, in place of what was running.
    public mutating func arm(_ slot: Int, _ kind: Deadline, now: Int) {
        while nodes.count <= slot { nodes.append(Node()) }
        let due = now + timeouts.duration(of: kind)
        // A busy connection asks for the same time again and again within a millisecond.
        if nodes[slot].kind == kind, nodes[slot].due == due { return }
        disarm(slot)
        let index = Int32(truncatingIfNeeded: slot)
        let last = lists[Int(kind.rawValue)].last
        nodes[slot] = Node(previous: last, next: -1, kind: kind, due: due)
        if last >= 0 { nodes[Int(last)].next = index } else { lists[Int(kind.rawValue)].first = index }
        lists[Int(kind.rawValue)].last = index
    }

    /// Stops the time of a slot.
    public mutating func disarm(_ slot: Int) {
        guard slot < nodes.count, let kind = nodes[slot].kind else { return }
        let node = nodes[slot]
        let list = Int(kind.rawValue)
        if node.previous >= 0 { nodes[Int(node.previous)].next = node.next } else { lists[list].first = node.next }
        if node.next >= 0 { nodes[Int(node.next)].previous = node.previous } else { lists[list].last = node.previous }
        nodes[slot].kind = nil
    }

    /// A slot whose time is up; it is disarmed.
    public mutating func expired(now: Int) -> Int? {
        guard let list = lists.first(where: { $0.first >= 0 && nodes[Int($0.first)].due <= now }) else { return nil }
        disarm(Int(list.first))
        return Int(list.first)
    }

    /// The slot that has waited longest for something of that kind, of those that are meant.
    public func oldest(_ kind: Deadline, where isMeant: (Int) -> Bool = { _ in true }) -> Int? {
        var slot = Int(lists[Int(kind.rawValue)].first)
        while slot >= 0, !isMeant(slot) { slot = Int(nodes[slot].next) }
        return slot >= 0 ? slot : nil
    }

    /// The slot that has waited longest for anything of these kinds.
    public func oldest(of kinds: [Deadline]) -> Int? {
        func began(_ slot: Int) -> Int { nodes[slot].due - (nodes[slot].kind.map(timeouts.duration) ?? 0) }
        return kinds.compactMap { oldest($0) }.min { began($0) < began($1) }
    }

    /// When the next time is up.
    public var next: Int? {
        var earliest: Int?
        for list in lists where list.first >= 0 {
            let due = nodes[Int(list.first)].due
            if due < earliest ?? .max { earliest = due }
        }
        return earliest
    }
}
