internal import Glibc

/// A file descriptor with one owner, who closes it.
public struct Descriptor: ~Copyable, Sendable {
    /// The number, for the length of a call; whoever keeps it past the owner's life names another file.
    public let number: CInt

    /// Takes over a descriptor that nobody else closes.
    public init(owning number: CInt) {
        self.number = number
    }

    // close(2) is not repeated on EINTR: on Linux the descriptor is gone all the same.
    deinit { close(number) }
}
