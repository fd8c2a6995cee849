internal import Bridges

/// The fields that keep an answer harmless wherever it is opened; every answer of every listener has them.
enum SecurityFields {
    /// A year, as RFC 6797 §6.1 counts: seconds.
    private static let transportSecurity = "max-age=31536000"
    private static let lockedPolicy = Policy.locked.text

    static func ofEveryAnswer(isSecure: Bool) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = [(name: "X-Content-Type-Options", value: "nosniff")]
        if isSecure { fields.append((name: "Strict-Transport-Security", value: transportSecurity)) }
        return fields
    }

    /// For answers that are no page: nothing in them is ever loaded, framed or run.
    static func ofData(isSecure: Bool) -> [(name: String, value: String)] {
        [
            (name: "Content-Security-Policy", value: lockedPolicy),
            (name: "Referrer-Policy", value: "no-referrer"),
            (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
        ] + ofEveryAnswer(isSecure: isSecure)
    }

    /// For the inspector's own pages.
    ///
    /// What the page in its frame may ask for, it must be allowed as well.
    static func ofInspector(
        _ view: Inspector.View,
        permissions: String?,
        isSecure: Bool
    ) -> [(name: String, value: String)] {
        [
            (name: "Content-Security-Policy", value: view.contentSecurityPolicy),
            (name: "Referrer-Policy", value: "no-referrer"),
            (name: "Cross-Origin-Opener-Policy", value: "same-origin"),
            (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
        ] + (permissions.map { [(name: "Permissions-Policy", value: $0)] } ?? []) + ofEveryAnswer(isSecure: isSecure)
    }

    static func ofPage(_ page: Page, isSecure: Bool) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = [
            (name: "Content-Security-Policy", value: page.contentSecurityPolicy)
        ]
        if let policy = page.reportOnlyPolicy {
            fields.append((name: "Content-Security-Policy-Report-Only", value: policy))
        }
        return fields + [
            (name: "Reporting-Endpoints", value: page.reportingEndpoints),
            (name: "Permissions-Policy", value: page.permissionsPolicy),
            (name: "Referrer-Policy", value: "strict-origin-when-cross-origin"),
            (name: "Cross-Origin-Opener-Policy", value: "same-origin-allow-popups"),
            (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
        ] + ofEveryAnswer(isSecure: isSecure)
    }
}
