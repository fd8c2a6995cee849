"""Connections that are kept, pipelined, split and slow (RFC 9112 §9)."""
import contextlib
import ssl

from harness.promises import Group, equal, holds
from harness.wire import Wire, request, tls_context
from harness.world import LIST, PATH, REST, World


def roomy():
    world = World()
    world.tenant("big", word="0123456789abcdef" * 1_000)
    with world.start() as server:
        yield server


group = Group("Connections", roomy)


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


@group.promise("a client that ends its side of TLS right after its requests gets every answer whole")
def _(server):
    expected = server.curl("/big/parrot.html").body
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = tls_context(server.ca).wrap_bio(incoming, outgoing, server_hostname="localhost")
    with Wire(server.secure, receive_buffer=2_048) as wire:
        def step(function, *arguments):
            while True:
                try:
                    return function(*arguments)
                except ssl.SSLWantReadError:
                    wire.send(outgoing.read())
                    received = wire.socket.recv(65_536)
                    incoming.write(received) if received else incoming.write_eof()

        step(client.do_handshake)
        client.write(request("/big/parrot.html") * 600)
        with contextlib.suppress(ssl.SSLWantReadError):
            client.unwrap()
        text = b""
        with contextlib.suppress(ssl.SSLError):
            while more := step(client.read, 65_536):
                text += more
        equal(text.count(expected), 600)


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
        wire.send(request("/reports/polly/parrot", "localhost", "Expect: 100-continue", "Content-Length: 2", method="POST"))
        equal(wire.response().status, 100)
        equal(wire.send(b"ok").response().status, 400)


@group.promise("a large response reaches a slow reader with a tiny receive buffer whole")
def _(server):
    expected = server.curl("/big/parrot.html").body
    with server.wire(receive_buffer=1_024) as wire:
        wire.send(request("/big/parrot.html") * 20)
        for _ in range(20):
            equal(wire.response(size=700).body == expected, True)
