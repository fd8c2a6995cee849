internal import COpenSSL

extension Array where Element == UInt8 {
    /// The bytes in base64 for URLs and file names, without padding (RFC 4648 §5).
    public var base64URL: String {
        base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes as lowercase hexadecimal digits.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
    }

    /// The bytes in base64 with padding (RFC 4648 §4).
    public var base64: String {
        guard !isEmpty else { return "" }
        // EVP_EncodeBlock adds a NUL.
        var encoded = [UInt8](repeating: 0, count: (count + 2) / 3 * 4 + 1)
        let length = EVP_EncodeBlock(&encoded, self, CInt(count))
        return String(decoding: encoded[..<Int(length)], as: UTF8.self)
    }

    /// The bytes of an even number of hexadecimal digits; nil for anything else.
    public init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        self = bytes
    }
}
