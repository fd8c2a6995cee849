internal import HTTP

/// A fixed map from bytes to small numbers: one hash and, nearly always, one comparison a look-up.
///
/// Its keys are our own, never a client's, so nobody can choose keys that collide.
struct ByteTable: Sendable {
    private struct Slot {
        var hash: UInt32 = 0
        var start: UInt32 = 0
        var length: UInt32 = 0
        var value: Int32 = -1
    }

    private var slots: [Slot]
    private var keys: [UInt8] = []
    private let mask: Int

    /// A table of distinct keys; of two equal ones the first counts.
    init(_ entries: [(key: [UInt8], value: Int)]) {
        var capacity = 8
        while capacity < entries.count * 2 { capacity *= 2 }
        mask = capacity - 1
        slots = Array(repeating: Slot(), count: capacity)
        for entry in entries { insert(entry.key, Int32(entry.value)) }
    }

    private mutating func insert(_ key: [UInt8], _ value: Int32) {
        guard self.value(key.span, ByteRange(0, key.count), folding: false) == nil else { return }
        let hash = Self.hash(key.span, ByteRange(0, key.count), folding: false)
        var index = Int(hash) & mask
        while slots[index].value >= 0 { index = (index + 1) & mask }
        slots[index] = Slot(
            hash: hash,
            start: UInt32(keys.count),
            length: UInt32(key.count),
            value: value
        )
        keys += key
    }

    /// The value of a key.
    ///
    /// - Parameter folding: whether ASCII capitals of `bytes` stand for small letters; the table's keys then have none.
    @inline(__always)
    func value(_ bytes: Span<UInt8>, _ range: ByteRange, folding: Bool) -> Int? {
        let hash = Self.hash(bytes, range, folding: folding)
        var index = Int(hash) & mask
        while slots[index].value >= 0 {
            let slot = slots[index]
            if slot.hash == hash, slot.length == range.length, equals(slot, bytes, range, folding: folding) {
                return Int(slot.value)
            }
            index = (index + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private func equals(_ slot: Slot, _ bytes: Span<UInt8>, _ range: ByteRange, folding: Bool) -> Bool {
        for offset in 0..<Int(range.length) {
            let byte = bytes[Int(range.start) + offset]
            if (folding ? asciiLowercased(byte) : byte) != keys[Int(slot.start) + offset] { return false }
        }
        return true
    }

    /// FNV-1a.
    @inline(__always)
    private static func hash(_ bytes: Span<UInt8>, _ range: ByteRange, folding: Bool) -> UInt32 {
        var hash: UInt32 = 0x811C_9DC5
        for index in range.indices {
            let byte = bytes[index]
            hash = (hash ^ UInt32(folding ? asciiLowercased(byte) : byte)) &* 0x0100_0193
        }
        return hash
    }
}
