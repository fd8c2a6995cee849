internal import HTTP

/// A fixed map from bytes, within a scope, to small numbers: one hash and, nearly always, one comparison a look-up.
///
/// Its keys are our own, never a client's, so nobody can choose keys that collide.
struct ByteTable: Sendable {
    /// What is put in.
    struct Entry {
        let key: [UInt8]
        var scope = 0
        let value: Int
    }

    private struct Slot {
        var hash: UInt32 = 0
        var start: UInt32 = 0
        var length: UInt32 = 0
        var scope: Int32 = 0
        var value: Int32 = -1
    }

    private var slots: [Slot]
    private var keys: [UInt8] = []
    private let mask: Int
    /// Bits set in each byte before it is hashed or compared.
    private let fold: UInt64

    /// A table of distinct keys; of two equal ones the first counts.
    ///
    /// - Parameter foldingCase: whether letters of ASCII are found in either case. One bit is what makes a capital small;
    ///   the bytes of a host name have no other two that differ in that bit alone.
    init(_ entries: [Entry], foldingCase: Bool = false) {
        fold = foldingCase ? 0x2020_2020_2020_2020 : 0
        var capacity = 8
        while capacity < entries.count * 2 { capacity *= 2 }
        mask = capacity - 1
        slots = Array(repeating: Slot(), count: capacity)
        for entry in entries { insert(entry) }
    }

    private mutating func insert(_ entry: Entry) {
        let range = ByteRange(0, entry.key.count)
        guard value(entry.key.span, range, scope: entry.scope) == nil else { return }
        let hash = entry.key.withUnsafeBytes { self.hash($0, scope: entry.scope) }
        var index = Int(hash) & mask
        while slots[index].value >= 0 { index = (index + 1) & mask }
        slots[index] = Slot(
            hash: hash,
            start: UInt32(keys.count),
            length: range.length,
            scope: Int32(entry.scope),
            value: Int32(entry.value)
        )
        keys += entry.key
    }

    /// The value of a key.
    @inline(__always)
    func value(_ bytes: Span<UInt8>, _ range: ByteRange, scope: Int = 0) -> Int? {
        bytes.extracting(range.indices).withUnsafeBytes { find($0, scope: scope) }
    }

    private func find(_ key: UnsafeRawBufferPointer, scope: Int) -> Int? {
        let hash = self.hash(key, scope: scope)
        var index = Int(hash) & mask
        while slots[index].value >= 0 {
            let slot = slots[index]
            if slot.hash == hash, slot.scope == scope, slot.length == key.count, equals(slot, key) {
                return Int(slot.value)
            }
            index = (index + 1) & mask
        }
        return nil
    }

    /// FNV-1a, eight bytes a step.
    @inline(__always)
    private func hash(_ key: UnsafeRawBufferPointer, scope: Int) -> UInt32 {
        var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(truncatingIfNeeded: scope)
        guard let start = key.baseAddress else { return UInt32(truncatingIfNeeded: hash) }
        var offset = 0
        while offset < key.count {
            hash = (hash ^ word(start, key.count, offset)) &* 0x100_0000_01B3
            // A product's low bits depend on its factors' low bits alone.
            hash ^= hash >> 32
            offset += 8
        }
        return UInt32(truncatingIfNeeded: hash)
    }

    /// Whether a slot has a key that is as long as its own.
    @inline(__always)
    private func equals(_ slot: Slot, _ key: UnsafeRawBufferPointer) -> Bool {
        keys.withUnsafeBytes { keys in
            guard let start = key.baseAddress, let own = keys.baseAddress.map({ $0 + Int(slot.start) }) else {
                return true
            }
            var offset = 0
            while offset < key.count {
                guard word(own, key.count, offset) == word(start, key.count, offset) else { return false }
                offset += 8
            }
            return true
        }
    }

    /// Of a key's bytes the eight from an offset or, near the end, the last eight; of a key that is shorter, all.
    @inline(__always)
    private func word(_ start: UnsafeRawPointer, _ count: Int, _ offset: Int) -> UInt64 {
        if count >= 8 { return start.loadUnaligned(fromByteOffset: min(offset, count - 8), as: UInt64.self) | fold }
        var word: UInt64 = 0
        for index in 0..<count { word = word << 8 | UInt64(start.load(fromByteOffset: index, as: UInt8.self)) }
        return word | fold
    }
}
