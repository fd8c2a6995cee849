internal import Glibc

/// Repeats a call while a signal interrupts it (EINTR), and returns what it returned in the end.
@inline(__always)
func retryingOnInterrupt<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
