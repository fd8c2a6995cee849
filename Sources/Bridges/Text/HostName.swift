/// Host names as they stand in `Host` and in policies: ASCII, lower case, no port.
public enum HostName {
    /// One label or more; the dot at the end that DNS allows is refused, since no browser's origin has it.
    static let pattern =
        "^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$"

    /// Whether it is a DNS name (RFC 1123 §2.1); one that ends in a number is an address to every URL parser.
    public static func isValid(_ host: some Collection<UInt8>, allowsAddress: Bool = false) -> Bool {
        guard (1...253).contains(host.count) else { return false }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ isLabel($0) }), let last = labels.last else { return false }
        return allowsAddress || !looksNumeric(last)
    }

    private static func isLabel(_ label: some Collection<UInt8>) -> Bool {
        guard (1...63).contains(label.count), let first = label.first else { return false }
        let hyphen = UInt8(ascii: "-")
        guard first != hyphen, Array(label).last != hyphen else { return false }
        return label.allSatisfy { $0.isLowercaseLetter || $0.isDigit || $0 == hyphen }
    }

    private static func looksNumeric(_ label: some Collection<UInt8>) -> Bool {
        label.allSatisfy(\.isDigit) || (label.starts(with: "0x") && label.dropFirst(2).allSatisfy(\.isHexadecimalDigit))
    }
}
