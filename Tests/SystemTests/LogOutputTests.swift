import Foundation
import Glibc
import Testing

@testable import System

@Suite("A log's output")
struct LogOutputTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    private func lines(_ count: Int, length: Int = 99) -> [UInt8] {
        (0..<count).flatMap { _ in [UInt8](repeating: 0x78, count: length) + [0x0A] }
    }

    @Test("adds to a file, which nobody but its owner's group reads")
    func adds() throws {
        defer { unlink(path) }
        for _ in 0..<2 {
            let output = try LogOutput(file: path)
            #expect(output.write(Array("a\nb\n".utf8), from: 2, patience: 0) == .init(written: 2, error: nil))
        }
        let contents = try File.contents(of: path)
        #expect(String(decoding: contents.bytes, as: UTF8.self) == "b\nb\n")
        #expect(!contents.isWorldReadable)
    }

    @Test("says why a full disk took nothing")
    func tellsOfFullDisk() throws {
        let outcome = try LogOutput(file: "/dev/full").write(lines(1), patience: 1_000)
        #expect(outcome.written == 0)
        #expect(outcome.error?.code == ENOSPC)
    }

    @Test("gives a pipe that nobody reads whole lines, and then up")
    func givesUp() throws {
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        #expect(throws: SystemError.self) { _ = try LogOutput(file: path) }
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let output = try LogOutput(file: path)
        let outcome = output.write(lines(5_000), patience: 0)
        #expect(outcome.error == nil)
        #expect(outcome.written > 0 && outcome.written < 500_000 && outcome.written % 100 == 0)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        #expect(read(reader, &buffer, buffer.count) == outcome.written)
        #expect(output.write(lines(1), patience: 0).written == 100)
    }

    @Test("says that a pipe's reader has gone")
    func tellsOfGoneReader() throws {
        signal(SIGPIPE, SIG_IGN)
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        let output = try LogOutput(file: path)
        close(reader)
        #expect(output.write(lines(1), patience: 1_000).error?.code == EPIPE)
    }
}
