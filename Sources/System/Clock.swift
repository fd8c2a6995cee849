internal import Glibc

/// The clocks that a server needs; all are read without entering the kernel.
public enum Clock {
    /// Milliseconds of a clock that never jumps, to the kernel's tick (at most 10 ms old).
    public static var monotonicMilliseconds: Int {
        let time = read(CLOCK_MONOTONIC_COARSE)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// Nanoseconds of the same clock, as they are now; three times as dear.
    public static var monotonicNanoseconds: Int {
        let time = read(CLOCK_MONOTONIC)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Milliseconds since 1970 in UTC, to the kernel's tick.
    public static var wallMilliseconds: Int {
        let time = read(CLOCK_REALTIME_COARSE)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }

    /// Microseconds of the same clock as they are now, for those who compare them with their own.
    public static var monotonicMicroseconds: Int { monotonicNanoseconds / 1_000 }

    /// Seconds since 1970 in UTC.
    public static var wallSeconds: Int { read(CLOCK_REALTIME_COARSE).tv_sec }

    /// Nanoseconds since 1970 in UTC, to the kernel's tick, as the times of files.
    public static var wallNanoseconds: Int {
        let time = read(CLOCK_REALTIME_COARSE)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
