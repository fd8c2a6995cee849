// What is asked of the text of a page, and of each file that is put into one.

extension PageReader {
    /// HTML reads CR and CRLF as LF before it hashes, so we do it first.
    static func normalizingLineEnds(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "\r")) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\n"), index > 0, bytes[index - 1] == UInt8(ascii: "\r") { continue }
            result.append(byte == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : byte)
        }
        return result
    }

    static func textFinding(_ bytes: [UInt8]) -> Finding? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Finding(kind: .byteOrderMark, offset: 0) }
        if let nul = bytes.firstIndex(of: 0) { return Finding(kind: .nulByte, offset: nul) }
        return String(validating: bytes, as: UTF8.self) == nil ? Finding(kind: .invalidUTF8, offset: nil) : nil
    }

    /// What forbids to put a file between a start tag and this end tag.
    static func assetFindings(_ raw: [UInt8], endTag: StaticString) -> [Finding] {
        if let finding = textFinding(raw) { return [finding] }
        let text = normalizingLineEnds(raw)
        let end = text.firstRange(ofLowercased: endTag)
        let comment = text.firstRange(ofLowercased: "<!--")
        return [
            end.map { Finding(kind: .asset(.endTag(endTag.description)), offset: $0.lowerBound) },
            comment.map { Finding(kind: .asset(.comment), offset: $0.lowerBound) },
        ]
        .compactMap(\.self)
    }
}
