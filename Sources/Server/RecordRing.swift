internal import Synchronization

/// Carries the records of one worker to one reader, in fixed memory: neither ever waits for the other.
///
/// What does not fit is dropped and counted.
public final class RecordRing: @unchecked Sendable {
    /// Bytes; a power of two.
    static let capacity = 1 << 20

    // Between `taken` and `written` the memory is the reader's, elsewhere the worker's; the two counts, which only grow,
    // hand it over. That is what the class may claim to be sendable for.
    private let memory: UnsafeMutableRawBufferPointer
    private let mask: Int
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    private let droppedCount = Atomic<Int>(0)

    init(capacity: Int = RecordRing.capacity) {
        mask = capacity - 1
        memory = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit { memory.deallocate() }

    /// Records that did not fit.
    public var dropped: Int { droppedCount.load(ordering: .relaxed) }

    /// Whether there is nothing to take.
    public var isEmpty: Bool {
        written.load(ordering: .sequentiallyConsistent) == taken.load(ordering: .relaxed)
    }

    /// Adds a record and its texts; the worker's thread alone.
    func add(_ record: RequestRecord, _ texts: UnsafeRawBufferPointer) {
        let start = written.load(ordering: .relaxed)
        let size = MemoryLayout<RequestRecord>.size
        guard start - taken.load(ordering: .acquiring) + size + texts.count <= memory.count else {
            droppedCount.add(1, ordering: .relaxed)
            return
        }
        withUnsafeBytes(of: record) { copy($0, to: start) }
        copy(texts, to: start + size)
        // Whether the reader sleeps is looked up after this, and must not seem to be before.
        written.store(start + size + texts.count, ordering: .sequentiallyConsistent)
    }

    /// Takes the next record, its texts in place of what is in `texts`; the reader's thread alone.
    public func take(_ texts: inout [UInt8]) -> RequestRecord? {
        let start = taken.load(ordering: .relaxed)
        guard written.load(ordering: .acquiring) > start else { return nil }
        var record = RequestRecord()
        let size = MemoryLayout<RequestRecord>.size
        withUnsafeMutableBytes(of: &record) { copy(from: start, to: $0) }
        let length = record.textLength
        texts.removeAll(keepingCapacity: true)
        texts.append(contentsOf: repeatElement(0, count: length))
        texts.withUnsafeMutableBytes { copy(from: start + size, to: $0) }
        taken.store(start + size + length, ordering: .releasing)
        return record
    }

    private func copy(_ bytes: UnsafeRawBufferPointer, to position: Int) {
        let start = position & mask
        let first = min(bytes.count, memory.count - start)
        UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyMemory(from: .init(rebasing: bytes[..<first]))
        memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[first...]))
    }

    private func copy(from position: Int, to bytes: UnsafeMutableRawBufferPointer) {
        let start = position & mask
        let first = min(bytes.count, memory.count - start)
        bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<(start + first)]))
        UnsafeMutableRawBufferPointer(rebasing: bytes[first...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<(bytes.count - first)]))
    }
}
