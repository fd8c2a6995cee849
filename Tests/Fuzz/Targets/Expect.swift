/// Traps, which is what the fuzzer looks for, unless a promise holds.
func expect(_ isKept: Bool, _ promise: @autoclosure () -> String) {
    if !isKept { fatalError("broken promise: " + promise()) }
}

/// Text of which only the printable part matters, for the messages of broken promises.
func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self).debugDescription }

/// Choices that depend on an input alone, so that a crasher crashes again.
struct Choices: RandomNumberGenerator {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ bytes: [UInt8]) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Where to cut so many bytes: every byte, two pieces, or a few.
    mutating func cuts(of count: Int) -> [Int] {
        guard count > 1 else { return [count] }
        switch Int.random(in: 0..<8, using: &self) {
        case 0 where count <= 512: return Array(1...count)
        case let number:
            let places = (0..<max(1, number / 2)).map { _ in Int.random(in: 1..<count, using: &self) }
            return Set(places).sorted() + [count]
        }
    }
}

extension Array where Element == UInt8 {
    init(_ text: StaticString) { self = text.withUTF8Buffer { Array($0) } }

    /// Where `part` begins first, from `start` on.
    func index(of part: [UInt8], from start: Int = 0) -> Int? {
        guard count >= start + part.count else { return nil }
        return (start...(count - part.count)).first { self[$0...].starts(with: part) }
    }
}
