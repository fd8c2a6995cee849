/// The files of this repository that are shipped, found from this source file.
enum Repository {
    static let root: String = {
        let parts = #filePath.utf8.split(separator: UInt8(ascii: "/")).dropLast(4)
        return "/" + parts.map { String(Substring($0)) }.joined(separator: "/")
    }()
}
