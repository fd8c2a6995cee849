internal import JSON
internal import System

/// Looks whether challenges can be answered as the settings say.
struct ChallengeCheck {
    let serverFile: String

    /// Whether they can, or need not; what is wrong is reported.
    func check(_ settings: Settings, _ problems: ProblemCollector) -> Bool {
        guard let path = settings.challengeDirectory else { return true }
        if !settings.listeners.contains(where: { $0.role == .redirect }) {
            problems.report(.challengesUnasked(serverFile: serverFile))
        }
        do throws(SystemError) {
            _ = try Directory(path)
            return true
        } catch {
            problems.report(.noChallengeDirectory(error, serverFile: serverFile))
            return false
        }
    }
}
