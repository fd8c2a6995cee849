internal import CLinux
internal import Glibc

/// A thread of the operating system.
public enum Thread {
    private final class Start {
        let name: String
        let body: () -> Void

        init(name: String, body: @escaping () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a detached thread; whoever must know of its end lets it tell.
    ///
    /// - Parameter name: at most 15 bytes, for ps, top and debuggers.
    public static func start(name: String, _ body: sending @escaping () -> Void) throws(SystemError) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, Self.run, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw SystemError(call: "pthread_create", code: code)
        }
    }

    /// Does nothing for so many milliseconds; a signal may end it sooner.
    public static func rest(milliseconds: Int) {
        usleep(UInt32(clamping: milliseconds * 1_000))
    }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        bh_name_thread(start.name)
        start.body()
        return nil
    }
}
