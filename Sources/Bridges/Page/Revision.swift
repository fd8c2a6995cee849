internal import Crypto

/// A short hash of all that a bridge's answers depend on.
enum Revision {
    /// 16 hexadecimal digits: 64 bits, so that two of a tenant's revisions never meet by chance.
    static func of(_ fields: [[UInt8]]) -> String { Array(digest(fields).prefix(8)).hexadecimal }

    /// SHA-256 over the fields, each after its length, so that no two lists are one text.
    static func digest(_ fields: [[UInt8]]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(fields.reduce(0) { $0 + $1.count + 8 })
        for field in fields {
            let length = UInt64(field.count)
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                text.append(UInt8(truncatingIfNeeded: length >> shift))
            }
            text += field
        }
        return SHA256.hash(text)
    }
}
