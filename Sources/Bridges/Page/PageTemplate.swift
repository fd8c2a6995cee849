internal import Crypto

/// A page made ready for all tenants: what stands before and after its data block, and the hashes of what it runs.
struct PageTemplate: Sendable {
    /// The file's name in `public/`.
    let name: String
    /// All bytes before the data block's content.
    let head: [UInt8]
    /// All bytes after it.
    let tail: [UInt8]
    /// CSP sources of the inline scripts, in the order of the page.
    let scriptHashes: [String]
    /// CSP sources of the inline styles; empty where the bridge allows all inline styles, since a hash would forbid them.
    let styleHashes: [String]
    /// A digest of `head` and `tail`.
    let fingerprint: [UInt8]

    init(name: String, head: [UInt8], tail: [UInt8], scriptHashes: [String], styleHashes: [String]) {
        self.name = name
        self.head = head
        self.tail = tail
        self.scriptHashes = scriptHashes
        self.styleHashes = styleHashes
        fingerprint = Revision.digest([head, tail])
    }

    /// The CSP source that allows exactly this inline text.
    static func source(hashing text: some Collection<UInt8>) -> String {
        "'sha256-" + SHA256.hash(Array(text)).base64 + "'"
    }
}
