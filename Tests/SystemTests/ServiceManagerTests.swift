import Glibc
import Testing

@testable import System

@Suite("A service manager")
struct ServiceManagerTests {
    @Test("is one whose socket has a path or an abstract name that fits an address")
    func isNamed() {
        let longest = "/" + String(repeating: "x", count: 106)
        for name in ["/run/notify", "@notify", longest] { #expect(ServiceManager(["NOTIFY_SOCKET": name]) != nil) }
        for name in ["", "notify", "vsock:2:1234", longest + "x"] {
            #expect(ServiceManager(["NOTIFY_SOCKET": name]) == nil, "\(name)")
        }
        #expect(ServiceManager([:]) == nil)
    }

    @Test(
        "hears of the process's life twice in the time that it waits, if it asked this process",
        arguments: [
            ("60000000", nil, 30_000), ("1", nil, 1), ("60000000", "own", 30_000), ("60000000", "1", nil),
            ("0", nil, nil),
            ("-5", nil, nil), ("x", nil, nil), (nil, nil, nil),
        ] as [(String?, String?, Int?)]
    )
    func watches(microseconds: String?, process: String?, period: Int?) {
        var environment = ["NOTIFY_SOCKET": "/run/notify"]
        environment["WATCHDOG_USEC"] = microseconds
        environment["WATCHDOG_PID"] = process == "own" ? "\(getpid())" : process
        #expect(ServiceManager(environment)?.watchdogPeriod == period)
    }

    @Test("that is not there takes nothing, and that is all")
    func isGone() {
        #expect(ServiceManager(["NOTIFY_SOCKET": "/nowhere/notify"])?.tell("READY=1") == false)
    }
}
