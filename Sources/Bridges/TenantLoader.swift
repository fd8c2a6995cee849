internal import JSON
internal import System

/// The JSON files of one folder.
struct JSONFolder {
    /// One of them.
    struct Entry {
        /// Its name without `.json`.
        let name: String
        let path: String

        /// The root of its text; what can't be read or is no JSON is reported.
        func read(_ problems: ProblemCollector) -> Located? {
            do throws(SystemError) {
                return JSONReader.root(of: try File.read(path), file: path, problems: problems)
            } catch {
                problems.report(.unreadable(error))
                return nil
            }
        }
    }

    let path: String

    /// All of them in the order of names; a folder that can't be read is reported.
    func entries(_ problems: ProblemCollector) -> [Entry] {
        do throws(SystemError) {
            return try File.names(in: path).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { name in
                Entry(name: String(name.dropLast(".json".count)), path: path + "/" + name)
            }
        } catch {
            problems.report(.unreadable(error))
            return []
        }
    }
}

/// Reads `tenants/*.json`, each apart from the others.
struct TenantLoader {
    struct Found {
        var drafts: [TenantDraft] = []
        /// Names of tenants whose files have errors.
        var broken: [String] = []
    }

    let directory: String
    let reader: TenantReader

    func load(_ problems: ProblemCollector, _ progress: (Int, Int) -> Void) -> Found {
        var found = Found()
        let files = JSONFolder(path: directory).entries(problems)
        for (index, file) in files.enumerated() {
            progress(index, files.count)
            let own = ProblemCollector()
            let draft = read(file, own)
            problems.report(own.problems)
            if let draft, !own.hasErrors { found.drafts.append(draft) } else { found.broken.append(file.name) }
        }
        return found
    }

    private func read(_ file: JSONFolder.Entry, _ problems: ProblemCollector) -> TenantDraft? {
        guard reader.patterns.matches(file.name, TenantReader.namePattern),
            !TenantReader.reservedNames.contains(file.name)
        else {
            let reserved = TenantReader.reservedNames.joined(separator: ", ")
            problems.report(
                .badFileName(
                    file.path,
                    expected: "small letters, digits and '-', as acme.json, and none of \(reserved)"
                )
            )
            return nil
        }
        return file.read(problems).flatMap { reader.read($0, name: file.name) }
    }
}

/// Shares out hosts: each belongs to one tenant.
struct HostClaims {
    /// Who had a host before; a tenant whose file is broken keeps its own.
    private var owners: [String: String] = [:]

    init(previous: Catalog?, broken: [String]) {
        for tenant in previous?.tenants ?? [] {
            for host in tenant.hosts { owners[host] = tenant.name }
        }
    }

    func settle(_ found: TenantLoader.Found, _ problems: ProblemCollector) -> TenantLoader.Found {
        var claims: [String: [String]] = [:]
        for draft in found.drafts {
            for host in draft.hosts { claims[host.name, default: []].append(draft.name) }
        }
        var result = TenantLoader.Found(drafts: [], broken: found.broken)
        for var draft in found.drafts {
            draft.hosts.removeAll { host in
                let owner = owners[host.name].flatMap { owner in
                    claims[host.name, default: []].contains(owner) || found.broken.contains(owner) ? owner : nil
                }
                let others = (claims[host.name, default: []] + (owner.map { [$0] } ?? [])).filter { $0 != draft.name }
                guard !others.isEmpty else { return false }
                problems.report(
                    .hostClaimedTwice(host.name, by: others.uniqued, at: host.place, isKept: owner != nil)
                )
                return owner != draft.name
            }
            if draft.declaredHosts > 0, draft.hosts.isEmpty {
                problems.report(.noHostLeft(draft))
                result.broken.append(draft.name)
            } else {
                result.drafts.append(draft)
            }
        }
        return result
    }
}

extension Array where Element == String {
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
