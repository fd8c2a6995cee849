/// Judges a head that has not come whole, each line once, as it ends: what no later byte can make good is refused at once,
/// and not when the client's time is over.
///
/// Only the whole head shows a missing Host, or content that two fields delimit.
struct PartialHead: Sendable {
    /// Where the first line begins that is not judged yet.
    private var cursor = 0
    private var hasRequestLine = false
    private var fieldCount = 0
    private var semantics = FieldSemantics()
    /// What the fields' meaning depends on: by the next line, the head that is parsed into may hold another request's.
    private var version = Version.http11
    private var form = TargetForm.origin

    /// Why the bytes so far are refused, if they are.
    ///
    /// - Parameter scanned: how many of them were scanned before.
    mutating func refusal(
        _ bytes: Span<UInt8>,
        _ scanner: HeadScanner,
        since scanned: Int,
        limits: RequestLimits,
        into head: inout RequestHead
    ) -> Rejection? {
        cursor = max(cursor, scanner.start)
        head.reset()
        head.version = version
        head.form = form
        do throws(Rejection) {
            while cursor < scanner.lineStart { try takeLine(bytes, limits: limits, into: &head) }
            // Up to such a CR the line is read as if it had ended there, and so refused for what comes first in it.
            guard scanner.hasBareReturn(bytes, since: scanned, limits: limits) else { return nil }
            try takeLine(bytes, limits: limits, into: &head)
            return nil
        } catch {
            return error
        }
    }

    private mutating func takeLine(
        _ bytes: Span<UInt8>,
        limits: RequestLimits,
        into head: inout RequestHead
    ) throws(Rejection) {
        guard hasRequestLine else {
            try RequestParser.parseRequestLine(bytes, &cursor, limits: limits, into: &head)
            (hasRequestLine, version, form) = (true, head.version, head.form)
            return
        }
        let (field, end) = try RequestParser.parseField(bytes, at: cursor)
        cursor = end
        fieldCount += 1
        guard fieldCount <= limits.fields else { throw .headTooLarge }
        try semantics.take(field, bytes, into: &head)
    }
}
