internal import JSON
internal import System
internal import TLS

/// Reads the ticket keys that the settings name.
struct TicketKeyLoader {
    let serverFile: String

    /// The keys that can be used; what is wrong with any is reported, and never what a file holds.
    func load(_ files: [String], _ problems: ProblemCollector) -> [TicketKey] {
        files.compactMap { load($0, problems) }
    }

    private func load(_ file: String, _ problems: ProblemCollector) -> TicketKey? {
        do throws(SystemError) {
            let contents = try File.contents(of: file)
            if contents.isWorldReadable { problems.report(.readableByAll(file)) }
            if let key = TicketKey(contents.bytes) { return key }
            problems.report(.notATicketKey(file, count: contents.bytes.count))
        } catch {
            problems.report(.unreadable(error, advice: "\(serverFile) names it under ticketKeys."))
        }
        return nil
    }
}
