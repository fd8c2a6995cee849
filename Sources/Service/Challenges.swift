internal import HTTP
internal import System

/// Answers an authority that asks whether a name is served here (ACME's http-01, RFC 8555 §8.3).
///
/// It is the one thing that a request reads from disk: a worker opens one small file by a name that can lead nowhere else.
/// The folder is opened anew each time, so that one that a client made again is found.
struct Challenges: Sendable {
    /// Where the client of the authority puts its files, each named as its token.
    let directory: String

    private static let prefix = Array("/.well-known/acme-challenge/".utf8)
    /// Far above what authorities send, far below what a file's name may have.
    private static let longestToken = 128
    /// An answer to a challenge is a token and a hash.
    private static let limit = 4_096

    /// The media type as RFC 8555 §8.3 has it; a browser shows nothing of it, whatever the file holds.
    private static let contentType = "application/octet-stream"

    /// The part of a path after the prefix, as it was sent; nil where the path is no challenge's.
    ///
    /// Nothing is decoded: what would have to be is no token.
    static func name(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> ArraySlice<UInt8>? {
        guard Int(head.path.length) >= prefix.count else { return nil }
        let path = bytes.array(head.path)
        return path.starts(with: prefix) ? path[prefix.count...] : nil
    }

    /// The fields and the content of the answer; nil where there is none for that name.
    func answer(to name: ArraySlice<UInt8>) -> (fields: [(name: String, value: String)], content: [UInt8])? {
        guard name.count <= Self.longestToken, name.allSatisfy(Self.isOfToken) else { return nil }
        guard let folder = try? Directory(directory),
            let content = try? folder.read(String(decoding: name, as: UTF8.self), limit: Self.limit)
        else { return nil }
        return (AnswerFields.unstored(type: Self.contentType, isSecure: false), content)
    }

    /// base64url's alphabet (RFC 8555 §8.1).
    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
