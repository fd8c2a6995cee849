internal import JSON

/// What one report says, as far as it is kept.
struct ViolationReport: Hashable, Sendable {
    let directive: ReportedDirective
    let blocked: String
    /// Whether the policy was only tried: nothing was blocked.
    let isTrial: Bool
}

extension ViolationReport {
    /// How many reports of one content are read.
    static let most = 32
    /// Bodies of reports hold no more than an array of objects with objects.
    private static let depth = 8

    /// The reports of a content, by its shape: what engines call it differs, and one calls all of them the same.
    ///
    /// - Parameter trialPolicy: the text of the policy that is tried; some engines don't say otherwise which was violated.
    /// - Returns: nil if nothing in it is a report; nothing of reports of other types.
    static func read(_ content: [UInt8], trialPolicy: String?) -> [ViolationReport]? {
        guard let root = try? JSONReader.read(content, maximumDepth: depth).root else { return nil }
        let reports: [JSONNode]
        switch root.content {
        case .object: reports = [root]
        case .array(let elements): reports = elements
        default: return nil
        }
        let outcomes = reports.prefix(most).map { read($0, trialPolicy: trialPolicy) }
        let isMalformed = !outcomes.isEmpty && outcomes.allSatisfy { $0 == .malformed }
        return isMalformed ? nil : outcomes.compactMap(\.violation)
    }

    private enum Outcome: Equatable {
        case violation(ViolationReport)
        case ofAnotherType
        case malformed

        var violation: ViolationReport? {
            guard case .violation(let report) = self else { return nil }
            return report
        }
    }

    private static func read(_ report: JSONNode, trialPolicy: String?) -> Outcome {
        if let body = report.member("csp-report") { return read(body, .reportURI, trialPolicy) }
        guard let type = report.member("type")?.text, let body = report.member("body") else { return .malformed }
        return type == "csp-violation" ? read(body, .reportingAPI, trialPolicy) : .ofAnotherType
    }

    private static func read(_ body: JSONNode, _ names: MemberNames, _ trialPolicy: String?) -> Outcome {
        guard let directive = names.directive.lazy.compactMap({ body.member($0)?.text }).first else {
            return .malformed
        }
        let blocked = body.member(names.blocked)?.text ?? ""
        let isTrial =
            body.member("disposition")?.text.map { $0 == "report" }
            ?? (trialPolicy != nil && body.member(names.policy)?.text == trialPolicy)
        return .violation(
            ViolationReport(
                directive: ReportedDirective(reported: directive),
                blocked: BlockedOrigin.of(blocked),
                isTrial: isTrial
            )
        )
    }
}

/// The names of a body's members in one of the two forms.
private struct MemberNames {
    /// The one to prefer first.
    let directive: [String]
    let blocked: String
    let policy: String

    /// That of `report-uri` (CSP3 §5.3).
    static let reportURI = MemberNames(
        directive: ["effective-directive", "violated-directive"],
        blocked: "blocked-uri",
        policy: "original-policy"
    )
    /// That of `report-to` (CSP3 §5.2).
    static let reportingAPI = MemberNames(
        directive: ["effectiveDirective", "violatedDirective"],
        blocked: "blockedURL",
        policy: "originalPolicy"
    )
}

extension JSONNode {
    fileprivate var text: String? {
        guard case .string(let text) = content else { return nil }
        return text
    }
}
