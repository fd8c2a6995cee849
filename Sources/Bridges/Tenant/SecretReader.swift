internal import Crypto
internal import JSON
internal import System

/// Reads the keys that tenants' files name, each from a file that holds nothing else.
struct SecretReader {
    /// Why a file holds no key.
    enum Defect {
        /// A link leads out of the folder.
        case outside
        /// It has no byte but perhaps a line end.
        case empty
        /// It has more than one line.
        case lineBreak
    }

    /// The folder of all keys; links may lead about in it, but not out of it.
    let directory: String
    let files: KnownFiles

    /// More is no key, but a file named by mistake; bytes.
    static let limit = 4_096

    /// The key in a file, or nil for one that can't be used, which is reported.
    func read(_ file: String, namedBy value: Located) -> Secret? {
        // Before it is read: a change that comes between is seen by the next load.
        let named = directory + "/" + file
        files.note([named], limit: Self.limit)
        do throws(SystemError) {
            let folder = try File.realPath(directory)
            let path = try File.realPath(folder + "/" + file)
            guard path.utf8.starts(with: "\(folder)/".utf8) else {
                // Where it lies says nothing of what is in it.
                files.noteUnknown(named)
                return refuse(value, .outside)
            }
            let contents = try File.contents(of: path, limit: Self.limit)
            let key = Self.withoutLineEnd(contents.bytes[...])
            guard !key.isEmpty else { return refuse(value, .empty) }
            guard !key.contains(where: Self.isLineEnd) else { return refuse(value, .lineBreak) }
            if contents.isWorldReadable { value.problems.report(.worldReadableSecret(value)) }
            return Secret(Array(key))
        } catch {
            value.problems.report(.unreadableSecret(value, reason: error.reason))
            return nil
        }
    }

    private func refuse(_ value: Located, _ defect: Defect) -> Secret? {
        value.problems.report(.unusableSecret(value, defect))
        return nil
    }

    /// Editors end a file with LF or CRLF; one of those is none of the key's bytes.
    private static func withoutLineEnd(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes }
        let line = bytes.dropLast()
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}
