/// PROXY headers, made the way that the protocol says and not the way that they are read.
enum Headers {
    static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
    static let four: [UInt8] = [192, 0, 2, 1, 127, 0, 0, 1, 0x12, 0x34, 0x20, 0xFB]
    static let six: [UInt8] =
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
        + [UInt8](repeating: 0, count: 15) + [1] + [0x12, 0x34, 0x20, 0xFB]

    static func binary(_ family: UInt8, _ block: [UInt8]) -> [UInt8] { binary(0x21, family, block) }

    static func binary(_ command: UInt8, _ family: UInt8, _ block: [UInt8]) -> [UInt8] {
        signature + [command, family, UInt8(block.count >> 8), UInt8(block.count & 0xFF)] + block
    }

    static func vector(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
        [type, UInt8(value.count >> 8), UInt8(value.count & 0xFF)] + value
    }

    static func line(_ source: String) -> [UInt8] {
        Array("PROXY \(source.contains(":") ? "TCP6" : "TCP4") \(source) \(source) 4711 443\r\n".utf8)
    }
}
