internal import Glibc

/// Finds the folders in which a change can change what a path leads to: those that hold it, and every link on the way.
///
/// So a swap of links is noticed, as Kubernetes swaps `..data` and certbot `live/NAME/fullchain.pem`. Where something on the
/// way is missing, it is the folder in which that would appear.
public struct LinkTrail {
    /// What was found so far.
    public private(set) var folders: Set<String> = []
    /// Where folders lead to that were asked for before; nil for nowhere.
    private var known: [String: String?] = [:]
    /// As many links as the kernel follows.
    private static let mostLinks = 40

    /// Nothing yet.
    public init() {}

    /// Adds the folders of a file.
    public mutating func follow(file path: String) { follow(file: path, links: 0) }

    /// Adds a folder whose names matter.
    public mutating func follow(folder path: String) {
        if let folder = resolve(path, links: 0) { folders.insert(folder) }
    }

    private mutating func follow(file path: String, links: Int) {
        let (parent, name) = Self.split(path)
        guard links < Self.mostLinks, let folder = resolve(parent, links: links) else { return }
        folders.insert(folder)
        guard let target = Self.target(of: Self.join(folder, name)) else { return }
        follow(file: Self.join(folder, target), links: links + 1)
    }

    /// The folder without links that a path leads to.
    private mutating func resolve(_ path: String, links: Int) -> String? {
        if path == "/" || path == "." { return path }
        if let folder = known[path] { return folder }
        let folder = links < Self.mostLinks ? resolveNew(path, links: links) : nil
        known[path] = folder
        return folder
    }

    private mutating func resolveNew(_ path: String, links: Int) -> String? {
        let (parent, name) = Self.split(path)
        guard let above = resolve(parent, links: links) else { return nil }
        let folder = Self.join(above, name)
        if let target = Self.target(of: folder) {
            folders.insert(above)
            return resolve(Self.join(above, target), links: links + 1)
        }
        if File.exists(folder) { return folder }
        folders.insert(above)
        return nil
    }

    private static func target(of path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                chars.baseAddress.map { readlink(path, $0, chars.count) } ?? -1
            }
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    private static func join(_ folder: String, _ name: String) -> String {
        if name.utf8.first == UInt8(ascii: "/") { return name }
        return folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
    }

    /// What is before a path's last part, and that part.
    private static func split(_ path: String) -> (parent: String, name: String) {
        let bytes = path.utf8
        let slash = UInt8(ascii: "/")
        let end = bytes.lastIndex { $0 != slash }.map { bytes.index(after: $0) } ?? bytes.startIndex
        guard let cut = bytes[..<end].lastIndex(of: slash) else { return (".", String(path[..<end])) }
        let name = String(path[path.index(after: cut)..<end])
        let parent = bytes[..<cut].lastIndex { $0 != slash }.map { String(path[...$0]) } ?? "/"
        return (parent, name)
    }
}
