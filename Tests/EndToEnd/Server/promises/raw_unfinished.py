"""Heads that no further byte can make good: refused at once, and not when their time is over (RFC 9112 §2.2, §3, §5).

Nothing follows these rows, not even the end of the client's side: the answer must come while the server could still wait.
"""
from harness.promises import Broken, Group, equal, holds
from harness.raw import GOOD, LISTENERS
from harness.tools import PATIENCE
from harness.wire import Wire
from harness.world import REST, World

LINE = f"GET {REST} HTTP/1.1\r\n".encode()
HOST = LINE + b"Host: localhost\r\n"


def patient():
    """A server that would wait for the rest of a head longer than the promises do for an answer."""
    with World(listeners=LISTENERS, timeouts={"headSeconds": 2 * PATIENCE}).start() as server:
        yield server


group = Group("Raw: heads that can't become good", patient)


def refused(server, sent, status):
    """Whether it is answered so, alone and behind a good request, whole and byte by byte; then the server closes."""
    for start in (b"", GOOD):
        for pieces in ([start + sent], [start] + [bytes([byte]) for byte in sent]):
            with Wire(server.plain) as wire:
                for piece in pieces:
                    wire.send(piece)
                if start:
                    equal(wire.response().status, 200)
                answer = wire.response()
                equal((answer.status, answer.one("Connection")), (status, "close"))
                holds(wire.ends(), "closed")


def table(sentence, status, rows):
    def prove(server):
        broken = []
        for row in rows:
            try:
                refused(server, row, status)
            except (AssertionError, OSError) as error:
                broken.append(f"{row[-60:]!r}: {error or type(error).__name__}")
        if broken:
            raise Broken("\n".join([f"{len(broken)} broken:", *broken]))

    group.promise(f"{status} at once: {sentence} ({len(rows)})")(prove)


table("a CR without LF behind it", 400, [
    HOST + b"\r\r", HOST + b"\rX", LINE + b"\rX", HOST + b"X: a\rb", HOST + b"X\ra", HOST + b"X: a\r\r",
    LINE[:-2] + b"\rHost", b"GET /a\rb", b"GET\r/", b"\rG", b"\r\r", b"\r\n\rG"])

table("a line that is none", 400, [
    b"GET / HTTP/1.1 \r\n", b"GET /\r\n", b"\r\n\r\n", HOST + b"A : b\r\n", LINE + b"foo\r\n", HOST + b" \r\n",
    HOST + b"\r\r\n", HOST + b": a\r\n", HOST + b"X: a\r\n b\r\n", HOST + b"X: \x01\r\n", b"\r\nfoo\r\n"])

table("a field that can't be one", 400, [
    HOST + b"Host: localhost\r\n", LINE + b"Host: a b\r\n", HOST + b"Content-Length: x\r\n",
    HOST + b"Content-Length: 5\r\nX: a\r\nContent-Length: 5\r\n", HOST + b"Transfer-Encoding: gzip\r\n",
    b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n"])

table("an expectation that nobody knows", 417, [HOST + b"Expect: miracles\r\n"])
table("a coding that is not known", 501, [HOST + b"Transfer-Encoding: gzip, chunked\r\n"])
table("a field too many", 431, [LINE + b"X: a\r\n" * 101])
