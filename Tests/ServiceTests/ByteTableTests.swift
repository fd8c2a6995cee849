import HTTP
import Testing

@testable import Service

@Suite("A byte table")
struct ByteTableTests {
    private func value(_ table: ByteTable, _ text: String) -> Int? {
        // The key stands in the middle of a request.
        let bytes = Array("<<<\(text)>>>".utf8)
        return table.value(bytes.span, ByteRange(3, bytes.count - 3))
    }

    @Test("finds each of its keys, of any length, and no other")
    func finds() {
        let keys = (0..<2_000).map { number in "/\(number)" + String(repeating: "x", count: number % 40) }
        let table = ByteTable(keys.enumerated().map { ByteTable.Entry(key: Array($0.element.utf8), value: $0.offset) })
        for (index, key) in keys.enumerated() {
            #expect(value(table, key) == index)
            #expect(value(table, key + "y") == nil)
            #expect(value(table, String(key.dropLast()) + "?") == nil)
        }
        #expect(value(table, "") == nil)
        #expect(value(ByteTable([]), "/") == nil)
    }

    @Test("folds ASCII capitals only when asked")
    func folds() {
        let entries = [ByteTable.Entry(key: Array("chat.example.with.a.long.name".utf8), value: 7)]
        #expect(value(ByteTable(entries, foldingCase: true), "Chat.EXAMPLE.with.a.long.name") == 7)
        #expect(value(ByteTable(entries), "Chat.EXAMPLE.with.a.long.name") == nil)
    }

    @Test("keeps the first of two equal keys")
    func keepsFirst() {
        let table = ByteTable([1, 2].map { ByteTable.Entry(key: [1], value: $0) })
        #expect(table.value([1].span, ByteRange(0, 1)) == 1)
    }

    @Test("keeps equal keys of several scopes apart")
    func separatesScopes() {
        let table = ByteTable((0..<100).map { ByteTable.Entry(key: [1], scope: $0, value: $0 + 7) })
        for scope in 0..<100 { #expect(table.value([1].span, ByteRange(0, 1), scope: scope) == scope + 7) }
        #expect(table.value([1].span, ByteRange(0, 1), scope: 100) == nil)
    }
}
