import HTTP

/// Any bytes as the value of If-None-Match or If-Match: our tag matches where it stands whole, and nowhere else.
enum EntityTags {
    private static let tag = [UInt8]("\"r-gzip\"")

    static func check(_ bytes: [UInt8]) {
        if matches(bytes) {
            expect(bytes == [UInt8]("*") || bytes.index(of: tag) != nil, "\(text(bytes)) matches")
            // Another tag in the place of ours is no match, unless ours stands elsewhere too.
            let other = bytes.map { $0 == UInt8(ascii: "r") ? UInt8(ascii: "R") : $0 }
            expect(bytes.count == 1 || !matches(other), "\(text(other)) matches")
        }
        let opaque = bytes.filter { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
        let before = [UInt8]("W/\"") + opaque + [UInt8]("\" , ")
        expect(matches(before + tag), "\(text(before + tag)) does not match")
        expect(matches(before + [UInt8]("W/") + tag + [UInt8](",\"\"")), "behind \(text(before)) nothing matches")
        expect(!matches([UInt8]("W/") + tag, .strong), "a weak tag matches strongly")
        expect(!matches(bytes, .strong) || matches(bytes), "\(text(bytes)) matches strongly alone")
        expect(!matches(before) || before.index(of: tag) != nil, "\(text(before)) matches")
    }

    private static func matches(_ value: [UInt8], _ comparison: EntityTag.Comparison = .weak) -> Bool {
        tag.withUnsafeBufferPointer { EntityTag.matches(value.span, ByteRange(0, value.count), tag: $0, comparison) }
    }
}
