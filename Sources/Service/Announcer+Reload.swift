internal import JSON
internal import System

// What is told of reloads.
extension Announcer {
    /// What is wrong now and was not before, and who is not served as their files say for it.
    func tell(_ load: ServiceLoad, since last: ServiceLoad) {
        let known = Set(last.problems)
        let new = load.problems.filter { !known.contains($0) }
        tell(new)
        let files = Set(new.map(\.file))
        let isNews = { (name: String) in files.contains(tenantFile(name)) }
        for name in load.summary.leftOut where isNews(name) || !last.summary.leftOut.contains(name) {
            fail("tenant \(name) is not served; its problems are above")
        }
        for name in load.summary.kept where isNews(name) || !last.summary.kept.contains(name) {
            fail("tenant \(name) stays as it was; its problems are above")
        }
        for file in load.summary.keptCertificates where !last.summary.keptCertificates.contains(file) {
            fail("certificate \(file) stays as it was; its problems are above")
        }
    }

    private func tenantFile(_ name: String) -> String { "\(files.configDirectory)/tenants/\(name).json" }

    /// What a reload came to.
    func announce(_ outcome: ReloadStatus.Outcome, _ load: ServiceLoad) {
        switch outcome {
        case .applied:
            for file in load.summary.renewedCertificates { say("certificate \(file) is renewed") }
            say("reloaded: \(summary(load))\(kept(load))")
        case .unchanged: say("reloaded: \(summary(load)); nothing has changed")
        case .refused: say("reload refused: everything is served as before", .error)
        }
    }

    /// What is not as the files say, since it would look like a success otherwise.
    private func kept(_ load: ServiceLoad) -> String {
        let (tenants, certificates) = (load.summary.kept.count, load.summary.keptCertificates.count)
        let parts = [
            tenants > 0 ? "\(tenants) of the tenants" : nil,
            certificates > 0 ? "\(certificates) of the certificates" : nil,
        ]
        let text = parts.compactMap(\.self).joined(separator: " and ")
        return text.isEmpty ? "" : "; as before: \(text)"
    }

    /// Why changes are not noticed, and what to do.
    func failToWatch(_ failures: [SystemError]) {
        for failure in failures {
            let isExhausted = failure.isOutOfWatches || failure.isOutOfFiles
            let what = isExhausted ? "changes are not noticed" : "not watched until it can be opened"
            fail("\(what): \(failure)" + (isExhausted ? "; SIGHUP reads them\(Self.advice(failure))" : ""))
        }
    }

    private static func advice(_ failure: SystemError) -> String {
        switch failure {
        case _ where failure.isOutOfWatches: "; raise fs.inotify.max_user_watches"
        case _ where failure.isOutOfFiles: "; raise fs.inotify.max_user_instances"
        default: ""
        }
    }
}
