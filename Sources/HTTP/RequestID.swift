/// The name of the request that is being answered, by which its answer and its line of a log are found.
///
/// It is the client's own, if that one is harmless, else the next of a row of hexadecimal numbers that begins at random:
/// telling requests apart is all that it is for, so the next one may be guessed.
public struct RequestID: Sendable {
    /// The length of every id that is made here.
    public static let length = 24
    /// The longest id of a client's.
    public static let longest = 64
    /// The field that carries it, in requests and answers.
    public static let fieldName: StaticString = "X-Request-ID"

    private var made: [UInt8]
    private var given: [UInt8] = []
    private var isGiven = false

    /// No id: answers have none.
    init() {
        made = []
    }

    /// A row of ids that begin with these digits.
    public init(random: UInt64) {
        made = Array(repeating: Self.digits[0], count: Self.length)
        for index in 0..<16 { made[index] = Self.digits[Int(random >> (4 * index) & 15)] }
        given.reserveCapacity(Self.longest)
    }

    /// The id's bytes: tokens' letters, digits, `.`, `_` and `-` alone; none if answers have none.
    public var bytes: [UInt8] { isGiven ? given : made }

    /// Whether it was made here, and so has ``length``.
    @inline(__always)
    var isMade: Bool { !isGiven && !made.isEmpty }

    /// Takes the id of the next request.
    ///
    /// - Parameters:
    ///   - own: where the one that it may have stands; see ``RequestHead/requestID``.
    ///   - keepsGiven: whether that is kept.
    public mutating func take(_ own: ByteRange, _ bytes: Span<UInt8>, keepsGiven: Bool = true) {
        guard !keepsGiven || own.isEmpty || made.isEmpty || !isHarmless(bytes, own) else {
            given.removeAll(keepingCapacity: true)
            for index in own.indices { given.append(bytes[index]) }
            isGiven = true
            return
        }
        takeNext()
    }

    /// Takes an id of the row, for what is no request.
    public mutating func takeNext() {
        isGiven = false
        var index = made.count - 1
        while index >= 0 {
            switch made[index] {
            case UInt8(ascii: "f"):
                made[index] = UInt8(ascii: "0")
                index -= 1
            case UInt8(ascii: "9"): return made[index] = UInt8(ascii: "a")
            default: return made[index] += 1
            }
        }
    }

    /// Whether it can stand in a log, a file's name or a query as it is.
    private func isHarmless(_ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        guard range.length <= Self.longest else { return false }
        for index in range.indices where !ByteSet.harmless.contains(bytes[index]) { return false }
        return true
    }

    private static let digits = [UInt8]("0123456789abcdef".utf8)
}
