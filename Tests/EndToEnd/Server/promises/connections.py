"""Connections: kept, pipelined, split, slow, silent, many (RFC 9112 §9)."""
import contextlib
import os
import socket
import time

from harness.promises import Group, equal, eventually, holds
from harness.wire import Wire, client_hello, request, tls_context
from harness.world import LIST, PATH, REST, World


def roomy():
    world = World(timeouts={"handshakeSeconds": 30, "headSeconds": 30, "idleSeconds": 60})
    world.tenant("big", word="0123456789abcdef" * 1_000)
    with world.start() as server:
        yield server


group = Group("Connections", roomy)
# What a page may take while others misbehave: far above what it needs, far below any deadline of theirs.
PROMPT = 2.0


def page_is_prompt(server):
    """A new client on each of many connections, so that every worker is asked."""
    for _ in range(8):
        begun = time.monotonic()
        equal(server.curl(PATH).status, 200)
        took = time.monotonic() - begun
        holds(took < PROMPT, f"a page took {took:.2f} s")


@group.promise("one connection serves 100 requests, and different ones")
def _(server):
    with server.wire() as wire:
        for number in range(100):
            equal(wire.get((PATH, REST, LIST, "/wrong")[number % 4]).status, (200, 200, 200, 404)[number % 4])


@group.promise("curl reuses its connection for a second URL")
def _(server):
    url = f"https://localhost:{server.secure}{REST}"
    answer = server.curl(PATH, "--output", "/dev/null", url, "--output", "/dev/null", "--no-include",
                         "--write-out", "%{stderr}HTTP/1.1 200 x\r\n\r\n%{stdout}HTTP/1.1 200 x\r\nX: %{num_connects}\r\n\r\n")
    # The first transfer opened a connection, the second none.
    equal(answer.one("X"), "1")
    holds(b"X: 0" in answer.body, answer.body)


@group.promise("16 pipelined requests are answered in their order")
def _(server):
    paths = [(PATH, REST, LIST, "/wrong")[number % 4] for number in range(16)]
    with server.wire() as wire:
        expected = [wire.get(path) for path in paths[:4]]
        wire.send(b"".join(request(path) for path in paths))
        for number in range(16):
            answer = wire.response()
            equal((answer.status, answer.body), (expected[number % 4].status, expected[number % 4].body), str(number))


@group.promise("500 pipelined requests for a large page are answered whole, to a client that reads late")
def _(server):
    with server.wire() as wire:
        expected = wire.get("/big/parrot.html").body
        wire.send(request("/big/parrot.html") * 500)
        for _ in range(500):
            equal(wire.response().body == expected, True)


@group.promise("what follows a request with Connection: close is not answered")
def _(server):
    with server.wire() as wire:
        wire.send(request(PATH, "localhost", "Connection: close") + request(REST))
        answer = wire.response()
        equal((answer.status, answer.one("Connection")), (200, "close"))
        holds(wire.ends(), "nothing more")


@group.promise("a request that comes byte by byte, in a TLS record each, is answered")
def _(server):
    with server.wire() as wire:
        for byte in request(PATH):
            wire.send(bytes([byte]))
        equal(wire.response().status, 200)
        equal(wire.get(REST).status, 200)


@group.promise("a request split at every place is answered the same")
def _(server):
    text = request(REST)
    with server.wire() as wire:
        expected = wire.get(REST).body
        for place in range(1, len(text)):
            wire.send(text[:place]).send(text[place:])
            equal(wire.response().body, expected, f"split at {place}")


@group.promise("HTTP/1.0 is answered and closed, and kept when it asks for that")
def _(server):
    with server.wire() as wire:
        answer = wire.send(request(PATH, version="HTTP/1.0")).response()
        equal((answer.status, answer.version), (200, "HTTP/1.1"))
        holds(wire.ends(), "closed")
    with server.wire() as wire:
        text = request(PATH, "localhost", "Connection: keep-alive", version="HTTP/1.0")
        equal(wire.send(text).response().one("Connection").lower(), "keep-alive")
        equal(wire.send(text).response().status, 200)


@group.promise("curl --http1.0 gets its page")
def _(server):
    equal(server.curl(PATH, "--http1.0").status, 200)


@group.promise("a body that nobody asked for is read past: the next request is in step")
def _(server):
    with server.wire() as wire:
        wire.send(request(PATH, "localhost", "Content-Length: 5", method="POST") + b"hello" + request(REST))
        equal(wire.response().status, 405)
        equal(wire.response().status, 200)
        wire.send(request(PATH, "localhost", "Transfer-Encoding: chunked", method="POST") +
                  b"3;x=y\r\nabc\r\n0\r\n\r\n" + request(REST))
        equal(wire.response().status, 405)
        equal(wire.response().status, 200)


@group.promise("Expect: 100-continue gets its 100 before the content is sent")
def _(server):
    with server.wire() as wire:
        wire.send(request(PATH, "localhost", "Expect: 100-continue", "Content-Length: 2", method="POST"))
        equal(wire.response().status, 100)
        equal(wire.send(b"ok").response().status, 405)


@group.promise("a client that only connects delays nobody")
def _(server):
    with Wire(server.secure), Wire(server.secure):
        page_is_prompt(server)


@group.promise("a client that stops in the middle of its ClientHello delays nobody, and may still go on")
def _(server):
    hello = client_hello()
    with Wire(server.secure) as stopped, Wire(server.secure) as other:
        stopped.send(hello[:len(hello) // 2])
        other.send(hello[:3])
        page_is_prompt(server)
        stopped.send(hello[len(hello) // 2:])
        equal(stopped.socket.recv(1), b"\x16", "a ServerHello")


@group.promise("a client that stops in the middle of a request delays nobody")
def _(server):
    with server.wire() as wire:
        wire.send(request(PATH)[:20])
        page_is_prompt(server)
        equal(wire.send(request(PATH)[20:]).response().status, 200)


@group.promise("200 idle TLS connections delay nobody, and all of them still work")
def _(server):
    context = tls_context(server.ca)
    with contextlib.ExitStack() as stack:
        wires = [stack.enter_context(Wire(server.secure, context)) for _ in range(200)]
        page_is_prompt(server)
        for wire in wires:
            wire.send(request(REST))
        for wire in wires:
            equal(wire.response().status, 200)


@group.promise("a client that never reads delays nobody")
def _(server):
    with server.wire(receive_buffer=2_048) as wire:
        wire.socket.setblocking(False)
        with contextlib.suppress(BlockingIOError, OSError):
            for _ in range(2_000):
                wire.send(request("/big/parrot.html"))
        page_is_prompt(server)


@group.promise("a large response reaches a slow reader with a tiny receive buffer whole")
def _(server):
    expected = server.curl("/big/parrot.html").body
    with server.wire(receive_buffer=1_024) as wire:
        wire.send(request("/big/parrot.html") * 20)
        for _ in range(20):
            equal(wire.response(size=700).body == expected, True)


@group.promise("a client that resets its connection in the middle of an answer harms nobody")
def _(server):
    for _ in range(20):
        wire = server.wire(receive_buffer=1_024)
        wire.send(request("/big/parrot.html") * 20)
        wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        wire.socket.close()
    page_is_prompt(server)


@group.promise("a client that half-closes, or says goodbye properly, ends without a trace")
def _(server):
    def open_files():
        return len(os.listdir(f"/proc/{server.process.pid}/fd"))

    equal(server.curl(PATH).status, 200)
    with server.wire() as wire:
        equal(wire.get(PATH).status, 200)
        before = open_files()
        wires = [server.wire() for _ in range(20)]
        for number, other in enumerate(wires):
            equal(other.get(REST).status, 200)
            if number % 2:
                other.socket.unwrap()
            else:
                other.socket.shutdown(socket.SHUT_WR)
        eventually(lambda: open_files() <= before, "the server closes its ends too")
        for other in wires:
            other.socket.close()


@group.promise("a head that does not come in time is answered 408, an idle connection closed, a handshake given up")
def _():
    world = World(timeouts={"handshakeSeconds": 1, "headSeconds": 1, "idleSeconds": 1})
    with world.start() as server, Wire(server.secure) as silent, server.wire() as slow, server.wire() as idle:
        slow.send(request(PATH)[:20])
        equal(idle.get(PATH).status, 200)
        equal(slow.response().status, 408)
        holds(slow.ends() and idle.ends() and silent.ends(), "all three are closed")


@group.promise("more connections than the limit are closed at once, and there is room again after one has gone")
def _():
    with World(limits={"connections": 3}).start() as server:
        with contextlib.ExitStack() as stack:
            for _ in range(3):
                equal(stack.enter_context(server.wire()).get(PATH).status, 200)
            with Wire(server.secure) as extra:
                holds(extra.ends(), "the fourth is closed")
        eventually(lambda: _answers(server), "there is room again")


def _answers(server):
    try:
        with server.wire() as wire:
            return wire.get(PATH).status == 200
    except (OSError, AssertionError):
        return False


@group.promise("an idle server sleeps: no processor time in 2 s, with idle, silent and half-read connections open")
def _(server):
    with server.wire() as idle, Wire(server.secure) as silent, server.wire() as half:
        equal(idle.get(PATH).status, 200)
        half.send(request(PATH)[:20])
        silent.send(client_hello()[:30])
        before = server.cpu_ticks()
        idle.socket.settimeout(2)
        with contextlib.suppress(TimeoutError):
            idle.socket.recv(1)
        used = server.cpu_ticks() - before
        holds(used <= 3, f"{used} ticks of 10 ms")
