internal import Crypto
internal import System

/// `token`.
enum MakeToken {
    /// 256 bits: nobody guesses it, so that its digest needs no salt and no slow hash.
    private static let bytes = 32

    static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
        var arguments = arguments
        _ = try arguments.finish()
        do throws(CryptoError) {
            let token = try Random.bytes(bytes).base64URL
            let digest = SHA256.hash(Array(token.utf8)).hexadecimal
            StandardStream.output.writeLine(token)
            StandardStream.output.writeLine("\"sha256:\(digest)\"")
            StandardStream.error.writeLine(
                "The first line is the token, for the backend alone; it is shown this once. The second is for access.tokens."
            )
            return .fine
        } catch {
            StandardStream.error.writeLine("bridgehost: \(error)")
            return .problems
        }
    }
}
