internal import Glibc
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
    private let folds: Bool

    /// A table of distinct keys; of two equal ones the first counts.
    ///
    /// - Parameter foldingCase: whether ASCII capitals of what is looked up stand for small letters; the keys then have
    ///   none.
    init(_ entries: [(key: [UInt8], value: Int)], foldingCase: Bool = false) {
        folds = foldingCase
        var capacity = 8
        while capacity < entries.count * 2 { capacity *= 2 }
        mask = capacity - 1
        slots = Array(repeating: Slot(), count: capacity)
        for entry in entries { insert(entry.key, Int32(entry.value)) }
    }

    private mutating func insert(_ key: [UInt8], _ value: Int32) {
        let range = ByteRange(0, key.count)
        guard self.value(key.span, range) == nil else { return }
        let hash = self.hash(key.span, range)
        var index = Int(hash) & mask
        while slots[index].value >= 0 { index = (index + 1) & mask }
        slots[index] = Slot(hash: hash, start: UInt32(keys.count), length: UInt32(key.count), value: value)
        keys += key
    }

    /// The value of a key.
    @inline(__always)
    func value(_ bytes: Span<UInt8>, _ range: ByteRange) -> Int? {
        let hash = self.hash(bytes, range)
        var index = Int(hash) & mask
        while slots[index].value >= 0 {
            let slot = slots[index]
            if slot.hash == hash, slot.length == range.length, equals(slot, bytes, range) { return Int(slot.value) }
            index = (index + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private func equals(_ slot: Slot, _ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        bytes.extracting(range.indices).withUnsafeBufferPointer { found in
            keys.withUnsafeBufferPointer { keys in
                let key = UnsafeBufferPointer(rebasing: keys[Int(slot.start)..<(Int(slot.start) + found.count)])
                guard folds else { return equal(found, key) }
                return found.indices.allSatisfy { asciiLowercased(found[$0]) == key[$0] }
            }
        }
    }

    /// FNV-1a, eight bytes a step where none must be folded.
    @inline(__always)
    private func hash(_ bytes: Span<UInt8>, _ range: ByteRange) -> UInt32 {
        let prime: UInt64 = 0x100_0000_01B3
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var index = Int(range.start)
        if !folds {
            bytes.withUnsafeBytes { raw in
                while index + 8 <= range.end {
                    hash = (hash ^ raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* prime
                    // A product's low bits depend on its factors' low bits alone.
                    hash ^= hash >> 32
                    index += 8
                }
            }
        }
        while index < range.end {
            let byte = bytes[index]
            hash = (hash ^ UInt64(folds ? asciiLowercased(byte) : byte)) &* prime
            index += 1
        }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }
}

private func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let left = left.baseAddress, let other = right.baseAddress else { return true }
    return memcmp(left, other, right.count) == 0
}
