import System

@testable import Server

/// Any bytes as the beginning of a connection of a proxy: what they come to does not depend on the pieces, nor on what
/// the client sends behind; and any client's address comes back.
enum ProxyHeaders {
    static func check(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let whole = ProxyHeader.read(bytes.span)
        var end = bytes.count
        if case .complete(let header) = whole {
            expect((1...bytes.count).contains(header.count), "\(header.count) bytes of \(bytes.count) taken")
            end = header.count
        }
        for cut in choices.cuts(of: bytes.count) {
            let step = ProxyHeader.read(bytes.span.extracting(first: cut))
            expect(step == whole || step == .incomplete && cut < end, "cut at \(cut): \(step), whole: \(whole)")
            if case .complete = whole { expect(cut >= end || step == .incomplete, "\(step) before the end") }
        }
        announce(bytes, &choices)
    }

    private static func announce(_ rest: [UInt8], _ choices: inout Choices) {
        let isFour = Bool.random(using: &choices)
        let address = (0..<(isFour ? 4 : 16)).map { _ in UInt8.random(in: 0...255, using: &choices) }
        let port = UInt16.random(in: 0...UInt16.max, using: &choices)
        guard let source = SocketAddress(bytes: address.span, port: port) else { return }
        // One that is mapped would have to be written in the other family.
        guard source.bytes.count == address.count else { return }
        for header in [line(source), binary(source, vector: rest)] {
            let step = ProxyHeader.read((header + rest).span)
            expect(step == .complete(ProxyHeader(source: source, count: header.count)), "\(step) of \(text(header))")
        }
    }

    private static func line(_ source: SocketAddress) -> [UInt8] {
        let family = source.bytes.count == 4 ? "TCP4" : "TCP6"
        return Array("PROXY \(family) \(source.host) \(source.host) \(source.port) 443\r\n".utf8)
    }

    /// Version 2 with one vector of a type that nobody defines.
    private static func binary(_ source: SocketAddress, vector: [UInt8]) -> [UInt8] {
        let value = vector.prefix(3_000)
        let block =
            source.bytes + source.bytes + bigEndian(source.port) + bigEndian(443)
            + [0xEE] + bigEndian(UInt16(value.count)) + value
        let family: UInt8 = source.bytes.count == 4 ? 0x11 : 0x21
        return [UInt8]("\r\n\r\n\0\r\nQUIT\n") + [0x21, family] + bigEndian(UInt16(block.count)) + block
    }

    private static func bigEndian(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
}
