internal import Glibc

/// A part of a buffer, by offsets: small, trivial to copy, and valid in whatever holds the same bytes.
public struct ByteRange: Hashable, Sendable {
    /// The first byte's offset.
    public let start: UInt32
    /// The number of bytes.
    public let length: UInt32

    /// The part from `start` up to, but without, `end`.
    @inline(__always)
    public init(_ start: Int, _ end: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.length = UInt32(truncatingIfNeeded: end - start)
    }

    /// An empty part.
    public static let empty = ByteRange(0, 0)

    /// The offset after the last byte.
    @inline(__always)
    public var end: Int { Int(start) + Int(length) }

    /// The offsets.
    @inline(__always)
    public var indices: Range<Int> { Int(start)..<end }

    /// Whether there is no byte.
    public var isEmpty: Bool { length == 0 }
}

extension Span<UInt8> {
    /// Whether the part is exactly `text`; ASCII letters count as equal in either case, all other bytes as they are.
    @inline(__always)
    func matches(_ range: ByteRange, _ text: StaticString) -> Bool {
        guard Int(range.length) == text.utf8CodeUnitCount else { return false }
        let expected = text.utf8Start
        for index in 0..<Int(range.length)
        where asciiLowercased(self[Int(range.start) + index]) != asciiLowercased(expected[index]) {
            return false
        }
        return true
    }

    /// Whether the part has the same bytes.
    @inline(__always)
    func equals(_ range: ByteRange, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard Int(range.length) == other.count else { return false }
        return extracting(range.indices).withUnsafeBufferPointer { part in
            guard let part = part.baseAddress, let other = other.baseAddress else { return true }
            return memcmp(part, other, Int(range.length)) == 0
        }
    }

    /// A copy of the part.
    public func array(_ range: ByteRange) -> [UInt8] {
        extracting(range.indices).withUnsafeBufferPointer { Array($0) }
    }

    /// Eight bytes; the offset must leave so many.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }

    /// The part without the spaces and tabs about it (RFC 9110 §5.6.3, OWS).
    @inline(__always)
    func trimmed(_ start: Int, _ end: Int) -> ByteRange {
        var start = start
        var end = end
        while start < end, isBlank(self[unchecked: start]) { start += 1 }
        while end > start, isBlank(self[unchecked: end - 1]) { end -= 1 }
        return ByteRange(start, end)
    }
}

/// A letter of ASCII in lower case; every other byte as it is, so no foreign letter ever becomes an ASCII one.
@inline(__always)
public func asciiLowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
}

@inline(__always)
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
