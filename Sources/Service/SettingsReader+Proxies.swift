internal import HTTP
internal import JSON
internal import System

/// What stands in front of the service.
extension SettingsReader {
    /// No network of proxies is larger; whoever trusts everybody lets everybody be anybody.
    private static let shortestPrefixes = (ofIPv4: 8, ofIPv6: 7)

    func readTrustedProxies(_ reader: inout ObjectReader, into settings: inout Settings) {
        settings.trustedProxies = reader.value("trustedProxies")?.elements?.compactMap(readRange) ?? []
        settings.forwardedFields = reader.value("forwardedFields").flatMap(readFields) ?? .xForwarded
    }

    func readProxyProtocol(_ value: Located, _ hasProxies: Bool) -> Bool {
        guard value.bool == true else { return false }
        if !hasProxies {
            value.expected(
                "a list of trustedProxies as well, since the protocol is taken from those alone",
                advice: "\"trustedProxies\": [\"10.0.0.0/24\"] names the network of the balancer."
            ) as Void?
        }
        return true
    }

    private func readFields(_ value: Located) -> ForwardedFields? {
        guard let text = value.string else { return nil }
        guard let fields = ForwardedFields(rawValue: text) else {
            return value.expected(
                "\"X-Forwarded\" or \"Forwarded\"",
                advice: "Name what your proxy writes itself: the other kind comes from clients."
            )
        }
        return fields
    }

    private func readRange(_ value: Located) -> AddressRange? {
        guard let text = value.string else { return nil }
        do throws(AddressRange.Defect) {
            let range = try AddressRange(text)
            let shortest = range.isIPv4 ? Self.shortestPrefixes.ofIPv4 : Self.shortestPrefixes.ofIPv6
            guard range.prefix < shortest else { return range }
            return value.expected(
                "the network of your proxies, at least /\(shortest)",
                advice: "Whoever is trusted can claim to be any client; \(text) would trust nearly everybody."
            )
        } catch {
            return refuse(value, error)
        }
    }

    private func refuse(_ value: Located, _ defect: AddressRange.Defect) -> AddressRange? {
        switch defect {
        case .malformed: value.expected("an IPv4 or IPv6 address, or a range such as 10.0.0.0/24 or 2001:db8::/64")
        case .prefixTooLong(let most): value.expected("at most /\(most) after such an address")
        case .bitsAfterPrefix(let range):
            value.expected(
                "a range that begins at its first address, as \(range)",
                advice: "For one proxy alone, leave out the slash and what follows."
            )
        }
    }
}
