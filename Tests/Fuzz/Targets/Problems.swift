import JSON

/// What the readers of files say of them: it must fit on one line, whatever the file has.
enum Problems {
    static func check(_ collector: ProblemCollector) {
        for problem in collector.inOrderOfText {
            let line = problem.description
            expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "control characters in \(line.debugDescription)")
        }
    }
}
