import HTTP

/// Any bytes as the value of Accept-Encoding, beside a second reading of RFC 9110 §12.5.3.
enum Codings {
    static func check(_ bytes: [UInt8]) {
        let request = [UInt8]("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding:") + bytes + [UInt8]("\r\n\r\n")
        var decoder = RequestDecoder(limits: RequestLimits())
        var head = RequestHead()
        guard case .request(request.count, .none) = decoder.next(request.span, into: &head) else { return }
        let values = head.values(of: .acceptEncoding).map { request.span.array($0) }
        let prefers = AcceptEncoding.prefersGzip(head, request.span)
        expect(prefers == prefersGzip(values), "gzip is wanted: \(prefers), by \(values.map(text))")
    }

    private static func prefersGzip(_ values: [[UInt8]]) -> Bool {
        var weights: [String: Int] = [:]
        for element in values.flatMap({ $0.split(separator: UInt8(ascii: ",")) }) {
            let parts = element.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: trimmed(parts[0]), as: UTF8.self)
            guard name.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
            guard let weight = parts.count == 1 ? 1_000 : weight(trimmed(parts[1])) else { continue }
            weights[name.lowercased() == "x-gzip" ? "gzip" : name.lowercased()] = weight
        }
        let gzip = weights["gzip"] ?? weights["*"] ?? 0
        return gzip > 0 && gzip >= weights["identity"] ?? weights["*"] ?? 0
    }

    /// The thousandths of `q=0.5`.
    private static func weight(_ bytes: ArraySlice<UInt8>) -> Int? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.allSatisfy({ $0 < 0x80 }), text.hasPrefix("q=") || text.hasPrefix("Q=") else { return nil }
        let digits = Array(text.dropFirst(2))
        guard let whole = digits.first, whole == "0" || whole == "1" else { return nil }
        guard digits.count > 1 else { return whole == "1" ? 1_000 : 0 }
        let fraction = digits.dropFirst(2)
        guard digits[1] == ".", fraction.count <= 3, fraction.allSatisfy({ ("0"..."9").contains($0) }) else {
            return nil
        }
        let thousandths = Int(String(fraction) + String(repeating: "0", count: 3 - fraction.count)) ?? 0
        guard whole == "0" || thousandths == 0 else { return nil }
        return whole == "1" ? 1_000 : thousandths
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let rest = bytes.drop(while: isBlank)
        return rest.prefix((rest.lastIndex { !isBlank($0) } ?? rest.startIndex - 1) + 1 - rest.startIndex)
    }
}
