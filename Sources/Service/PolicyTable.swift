internal import Bridges
public import JSON

/// A page's policies as a table for people: what is allowed, why, and which engines heed it.
struct PolicyTable {
    let explanation: PolicyExplanation

    var text: String {
        var parts = [Self.section("Content-Security-Policy", explanation.enforced)]
        if let tried = explanation.tried {
            parts.append(Self.section("Content-Security-Policy-Report-Only (tried: nothing is blocked)", tried))
        }
        parts.append("Permissions-Policy\n" + Self.aligned(permissionRows))
        return parts.joined(separator: "\n\n")
    }

    private static func section(_ title: String, _ grants: [PolicyGrant]) -> String {
        let rows = Directive.allCases.flatMap { directive -> [[String]] in
            let own = grants.filter { $0.directive == directive }
            if own.isEmpty, PolicyExplanation.closed.contains(directive) {
                return [[directive.rawValue, "'none'", PolicyGrant.everywhere, wording(.everyPage)]]
            }
            return merged(own).map { [directive.rawValue, $0.source, $0.heeding, $0.reasons] }
        }
        return title + "\n" + aligned([["directive", "source", "heeded by", "from"]] + rows)
    }

    /// A source stands once in a policy, however many reasons there are for it.
    private static func merged(_ grants: [PolicyGrant]) -> [(source: String, reasons: String, heeding: String)] {
        var rows: [(source: String, reasons: String, heeding: String)] = []
        for grant in grants {
            if let index = rows.firstIndex(where: { $0.source == grant.source }) {
                rows[index].reasons += "; " + wording(grant.reason)
            } else {
                rows.append((grant.source, wording(grant.reason), grant.heeding))
            }
        }
        return rows
    }

    private var permissionRows: [[String]] {
        let known = explanation.permissions.map { grant in
            [
                grant.feature,
                grant.isGranted ? (["the page"] + grant.origins).joined(separator: " ") : "nobody",
                PermissionGrant.heeding,
                Self.wording(grant.reason),
            ]
        }
        let others = [["all others", "nobody", PermissionGrant.heeding, Self.wording(.everyPage)]]
        return [["feature", "granted to", "heeded by", "from"]] + known + others
    }

    private static func wording(_ reason: PolicyGrant.Reason) -> String {
        switch reason {
        case .everyPage: "every page"
        case .page: "the page's file"
        case .descriptor: "the descriptor"
        case .tenant: "the tenant's file"
        case .values(let values): "the descriptor, by " + values.map(wording).joined(separator: " and ")
        }
    }

    private static func wording(_ value: PolicyGrant.Value) -> String {
        value.setting + (value.value.map { " = " + $0.text } ?? ", which is not set")
    }

    private static func aligned(_ rows: [[String]]) -> String {
        let widths = (0..<(rows[0].count - 1)).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return "  " + (cells + row.suffix(1)).joined(separator: "  ")
        }
        .joined(separator: "\n")
    }
}

extension ServiceLoader {
    /// Why a page's policies allow what they do, for people; nil if there is no such page.
    public func policyText(tenant: String, bridge: String) -> (text: String?, problems: [Problem]) {
        let collector = ProblemCollector()
        let settings = readSettings(collector)
        let explanation = settings.flatMap {
            CatalogLoader(source: source($0)).explain(tenant: tenant, bridge: bridge, problems: collector)
        }
        let errors = collector.problems.filter { $0.severity == .error }
        return (explanation.map { PolicyTable(explanation: $0).text }, errors)
    }
}
