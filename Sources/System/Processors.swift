internal import CLinux
internal import Glibc

/// How many processors this process may use.
public enum Processors {
    /// At least 1: the least of the scheduler's affinity and the control group's quota, rounded up.
    public static var available: Int {
        let affinity = Int(bh_affinity_count())
        return max(1, min(affinity > 0 ? affinity : 1, quota ?? .max))
    }

    /// The quota of the process's control group as mounted in a container, version 2 or 1.
    static var quota: Int? {
        if let text = text("/sys/fs/cgroup/cpu.max") {
            let parts = text.split(separator: " ").map(String.init)
            return parts.count == 2 ? processors(quota: parts[0], period: parts[1]) : nil
        }
        guard let quota = text("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
            let period = text("/sys/fs/cgroup/cpu/cpu.cfs_period_us")
        else { return nil }
        return processors(quota: quota, period: period)
    }

    static func processors(quota: String, period: String) -> Int? {
        guard let quota = Int(quota), let period = Int(period), quota > 0, period > 0 else { return nil }
        return max(1, (quota + period - 1) / period)
    }

    private static func text(_ path: String) -> String? {
        guard let bytes = try? File.read(path, limit: 4096) else { return nil }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
