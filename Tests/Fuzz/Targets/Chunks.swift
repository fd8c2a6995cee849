@testable import HTTP

/// Any bytes as a chunked body, and any content as chunks.
enum Chunks {
    static func check(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        for limits in [RequestLimits(), RequestLimits(head: 40, content: 16)] {
            let whole = decode(bytes, cuts: [bytes.count], limits)
            let cuts = choices.cuts(of: bytes.count)
            let pieces = decode(bytes, cuts: cuts, limits)
            expect(whole == pieces, "cut at \(cuts): \(pieces), whole: \(whole)")
            guard case .complete(let end) = whole.result else { continue }
            let read = SecondReader.chunks(bytes)
            expect(read?.content == whole.content && read?.end == end, "\(whole) in \(text(bytes))")
        }
        let body = encode(bytes, &choices)
        let decoded = decode(body, cuts: choices.cuts(of: body.count), RequestLimits(head: 1 << 20, content: 1 << 20))
        expect(decoded == Outcome(result: .complete(body.count), content: bytes), "\(decoded) of \(text(body))")
    }

    private struct Outcome: Equatable {
        var result: ChunkedDecoder.Result
        var content: [UInt8]
    }

    private static func decode(_ bytes: [UInt8], cuts: [Int], _ limits: RequestLimits) -> Outcome {
        var decoder = ChunkedDecoder()
        var offset = 0
        var result = ChunkedDecoder.Result.incomplete
        for cut in cuts where result == .incomplete {
            let piece = Array(bytes[..<cut])
            result = decoder.decode(piece.span, from: &offset, limits: limits)
            expect(offset <= cut, "\(offset) bytes taken of \(cut)")
            expect(result != .incomplete || offset == cut, "only \(offset) bytes taken of \(cut)")
            expect(decoder.content.count <= limits.content, "\(decoder.content.count) bytes of content")
        }
        return Outcome(result: result, content: decoder.content)
    }

    private static func encode(_ content: [UInt8], _ choices: inout Choices) -> [UInt8] {
        var body: [UInt8] = []
        var start = 0
        for cut in choices.cuts(of: content.count) where cut > start {
            body += Array(String(cut - start, radix: 16, uppercase: Bool.random(using: &choices)).utf8)
            body += Bool.random(using: &choices) ? [UInt8](";a=\"b\\\"\"\r\n") : [UInt8]("\r\n")
            body += content[start..<cut] + [0x0D, 0x0A]
            start = cut
        }
        return body + [UInt8]("0\r\nX: y\r\n\r\n")
    }
}
