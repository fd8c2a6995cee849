/// What was done to a request's content before it was sent (RFC 9110 §8.4).
public enum ContentEncoding {
    /// Whether it was sent as it is: no coding is named but `identity`, which is none.
    public static func isIdentity(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> Bool {
        !head.anyValue(of: .contentEncoding) { value in
            var isCoded = false
            bytes.forEachElement(of: value) { isCoded = isCoded || !bytes.matches($0, "identity") }
            return isCoded
        }
    }
}
