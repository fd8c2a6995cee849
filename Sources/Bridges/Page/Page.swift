/// A tenant's page of one bridge: its bytes and the policies that must go with them.
public struct Page: Sendable {
    /// The file's name, the last segment of its URL.
    public let name: String
    /// The bytes before the tenant's data; every tenant's page shares them.
    public let head: [UInt8]
    /// The tenant's data: one line of JSON that can't end the element it stands in.
    public let data: [UInt8]
    /// The bytes after the tenant's data; shared as well.
    public let tail: [UInt8]
    /// The value of `Content-Security-Policy`.
    public let contentSecurityPolicy: String
    /// The value of `Content-Security-Policy-Report-Only`, where the tenant tries another policy.
    public let reportOnlyPolicy: String?
    /// The value of `Permissions-Policy`.
    public let permissionsPolicy: String
    /// Where its violations are reported: a path of every host that serves it.
    public let reportPath: String

    /// The whole page.
    public var body: [UInt8] { head + data + tail }

    /// The value of `Reporting-Endpoints`.
    public var reportingEndpoints: String { ReportingEndpoint.text(path: reportPath) }
}
