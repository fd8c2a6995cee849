internal import CLinux
internal import Glibc

/// What the kernel knows of this process.
public enum ProcessFacts {
    /// How many descriptors are open; nil where /proc is missing.
    public static var openDescriptors: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Not `.`, `..` and the descriptor that this looks through.
        return max(0, count - 3)
    }

    /// How many descriptors may be open.
    public static var descriptorLimit: Int { Int(clamping: descriptorLimits.rlim_cur) }

    /// Lets the process open as many descriptors as its hard limit allows; how many that is.
    @discardableResult
    public static func raiseDescriptorLimit() -> Int {
        var limits = descriptorLimits
        limits.rlim_cur = limits.rlim_max
        setrlimit(descriptors, &limits)
        return descriptorLimit
    }

    /// Memory that is resident, in bytes; nil where /proc is missing.
    public static var residentBytes: Int? {
        guard let bytes = try? File.read("/proc/self/statm", limit: 4_096) else { return nil }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * sysconf(CInt(_SC_PAGESIZE))
    }

    /// Gives memory that was freed back to the kernel; some milliseconds, for after a load.
    public static func releaseFreedMemory() {
        bh_release_freed_memory()
    }

    private static let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private static var descriptorLimits: rlimit {
        var limits = rlimit()
        getrlimit(descriptors, &limits)
        return limits
    }
}
