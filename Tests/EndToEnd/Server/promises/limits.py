"""Every deadline and every limit, for real: the status, the end, and the reason that /metrics counts it under."""
import contextlib
import re

from harness.hello import message, records
from harness.promises import Group, contains, equal, eventually, holds
from harness.tools import curl
from harness.wire import Wire, client_hello, request
from harness.world import BOTH, BULK, PATH, REST, World

SECOND = {name: 1 for name in ("handshakeSeconds", "headSeconds", "bodySeconds", "writeSeconds", "idleSeconds")}
SMALL = {"headBytes": 1_024, "targetBytes": 256, "fields": 10, "contentBytes": 1_024}


def short():
    world = World(listeners=BOTH, timeouts=SECOND, limits=SMALL)
    world.tenant("big", word="0123456789abcdef" * 1_000)
    with world.start() as server:
        yield server


group = Group("Deadlines and limits", short)
EITHER = {"TLS": lambda server, **options: server.wire(**options),
          "in the clear": lambda server, **options: Wire(server.plain, **options)}


@contextlib.contextmanager
def counts(server, reason, times=1):
    """What is done inside makes so many connections end for that reason."""
    before = server.closes(reason)
    yield
    eventually(lambda: server.closes(reason) == before + times, f"{times} more counted as {reason}")


def drip(wire, text, pause=0.1):
    """Sends byte by byte until an answer or the end comes; the connection again."""
    patience = wire.socket.gettimeout()
    wire.socket.settimeout(pause)
    for byte in text:
        with contextlib.suppress(TimeoutError):
            wire.send(bytes([byte]))
            wire._more()
            break
    wire.socket.settimeout(patience)
    return wire


def refused(server, wire, status, reason):
    """That status, an end, and the reason once the client has gone too."""
    with counts(server, reason):
        with wire:
            answer = wire.response()
            equal((answer.status, answer.one("Connection")), (status, "close"))
            holds(wire.ends(), "closed")


@group.promise("a handshake that never begins is given up, without a word: handshake_timeout")
def _(server):
    with counts(server, "handshake_timeout"), Wire(server.secure) as silent:
        holds(silent.ends(), "closed")


@group.promise("a handshake that comes byte by byte earns no more time: handshake_timeout")
def _(server):
    with counts(server, "handshake_timeout"), Wire(server.secure) as slow:
        holds(drip(slow, client_hello()[:100]).ends(), "closed")


@group.each("half a head is answered 408, {}: head_timeout", EITHER)
def _(server, connect):
    refused(server, connect(server).send(request(PATH)[:20]), 408, "head_timeout")


@group.each("a head that comes byte by byte earns no more time, {}: 408, head_timeout", EITHER)
def _(server, connect):
    refused(server, drip(connect(server), b"GET / HTTP/1.1\r\nX: " + b"a" * 100), 408, "head_timeout")


@group.each("half a body is answered 408, {}: body_timeout", EITHER)
def _(server, connect):
    post = request(PATH, "localhost", "Content-Length: 900", method="POST")
    refused(server, connect(server).send(post + b"half"), 408, "body_timeout")


@group.each("a body that comes byte by byte earns no more time, {}: 408, body_timeout", EITHER)
def _(server, connect):
    wire = connect(server).send(request(PATH, "localhost", "Content-Length: 900", method="POST"))
    refused(server, drip(wire, b"a" * 100), 408, "body_timeout")


@group.each("a client that stops reading is given up, {}: write_timeout", EITHER)
def _(server, connect):
    with connect(server, receive_buffer=2_048) as wire, counts(server, "write_timeout"):
        wire.socket.setblocking(False)
        with contextlib.suppress(OSError):
            for _ in range(2_000):
                wire.send(request("/big/parrot.html"))


@group.each("a connection that idles is closed, properly, {}: idle_timeout", EITHER)
def _(server, connect):
    with counts(server, "idle_timeout"), connect(server) as wire:
        equal(wire.get(REST).status, 200)
        # A TLS connection that ends without close_notify would raise here.
        equal(wire.socket.recv(1), b"")


def exactly(length, path="/nothing"):
    """A request whose head has that many bytes."""
    text = request(path, "localhost", "X: ")
    return request(path, "localhost", "X: " + "a" * (length - len(text)))


LIMITS = {
    "a target of 256 bytes is read, one of 257 is answered 414":
        (request("/" + "a" * 255), 404, request("/" + "a" * 256), 414),
    "a head of 1024 bytes is read, one of 1025 is answered 431": (exactly(1_024), 404, exactly(1_025), 431),
    "10 fields are read, 11 are answered 431":
        (request("/nothing", "localhost", *["A: b"] * 9), 404, request("/nothing", "localhost", *["A: b"] * 10), 431),
    "content of 1024 bytes is read, 1025 are answered 413 before they come":
        (request(PATH, "localhost", "Content-Length: 1024", method="POST") + b"a" * 1_024, 405,
         request(PATH, "localhost", "Content-Length: 1025", method="POST"), 413),
    "chunks of 1024 bytes together are read, 1025 are answered 413":
        (request(PATH, "localhost", "Transfer-Encoding: chunked", method="POST")
         + b"200\r\n" + b"a" * 512 + b"\r\n200\r\n" + b"a" * 512 + b"\r\n0\r\n\r\n", 405,
         request(PATH, "localhost", "Transfer-Encoding: chunked", method="POST")
         + b"200\r\n" + b"a" * 512 + b"\r\n201\r\n", 413),
}


@group.each("{} and closed: rejected", LIMITS)
def _(server, case):
    fits, status, exceeds, refusal = case
    for connect in EITHER.values():
        with connect(server) as wire:
            equal(wire.send(fits).response().status, status)
        refused(server, connect(server).send(exceeds), refusal, "rejected")


def writes(server):
    """How many connections do not read what they have asked for."""
    return server.metrics()['bridgehost_connections_by_state{state="writing"}']


@group.promise("when all others are answered and do not read, the one that has rested longest makes room: too_many_connections")
def _():
    world = World(workers=1, listeners=BOTH, limits={"connections": 3})
    world.add_bulk()
    with world.start() as server, contextlib.ExitStack() as stack:
        busy = []
        for number in range(1, 4):
            busy.append(stack.enter_context(server.wire(receive_buffer=2_048)).send(request(BULK) * 40))
            eventually(lambda: writes(server) == number, "it is answered")
        with counts(server, "too_many_connections"):
            equal(stack.enter_context(server.wire()).get(PATH).status, 200)
        for wire in busy[1:]:
            equal([wire.response().status for _ in range(40)], [200] * 40)
        with contextlib.suppress(OSError):
            busy[0].rest()
        holds(busy[0].buffer.count(b"HTTP/1.1 200") < 40, "the first was closed")


BEGUN = {
    "a head": lambda server: server.wire().send(request(PATH)[:20]),
    "a body": lambda server: server.wire().send(
        request(PATH, "localhost", "Content-Length: 900", method="POST") + b"half"),
    "a handshake": lambda server: Wire(server.secure).send(client_hello()[:60])}


@group.each("when all others have begun {} and do not go on, the oldest makes room: too_many_connections", BEGUN)
def _(_server, begin):
    with World(workers=1, limits={"connections": 3}).start() as server, contextlib.ExitStack() as stack:
        begun = [stack.enter_context(begin(server)) for _ in range(3)]
        eventually(lambda: server.metrics()["bridgehost_connections"] == 4, "all are accepted")
        with counts(server, "too_many_connections"):
            equal(stack.enter_context(server.wire()).get(PATH).status, 200)
            holds(begun[0].ends(), "the oldest is closed")


@group.promise("unread answers of all connections together are bounded by keptBytes: too_much_kept; who reads is served")
def _():
    world = World(workers=1, listeners=BOTH, limits={"keptBytes": 1_048_576})
    world.add_bulk()
    with world.start() as server, contextlib.ExitStack() as stack:
        expected = curl(f"http://localhost:{server.plain}{BULK}").body
        for _ in range(30):
            connect = stack.enter_context(EITHER["in the clear"](server, receive_buffer=2_048))
            connect.send(request(BULK) * 20)
            stack.enter_context(EITHER["TLS"](server, receive_buffer=2_048)).send(request(BULK) * 20)
            holds(server.metrics()["bridgehost_kept_bytes"] <= 1_048_576, "bounded")
        holds(server.closes("too_much_kept") > 10, "counted")
        equal(server.curl(BULK).body == expected, True)
        equal(server.curl(PATH).status, 200)
    equal(server.process.returncode, -9, "it lived until the end")


@group.promise("half heads of a crowd are bounded by keptBytes, too: who comes with a whole request is served")
def _():
    world = World(workers=1, listeners=BOTH, limits={"keptBytes": 1_048_576}, timeouts={"headSeconds": 60})
    with world.start() as server, contextlib.ExitStack() as stack:
        for _ in range(120):
            stack.enter_context(Wire(server.plain)).send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 15_000)
        eventually(lambda: server.closes("too_much_kept") > 10, "room is made")
        with Wire(server.plain) as wire:
            half = request(PATH)
            wire.send(half[:20])
            eventually(lambda: server.metrics()['bridgehost_connections_by_state{state="reading_head"}'] > 0, "half of it came")
            equal(wire.send(half[20:]).response().status, 200)


@group.promise("handshakes of a crowd that send much and do not end are bounded by keptBytes, too")
def _():
    world = World(workers=1, limits={"keptBytes": 1_048_576}, timeouts={"handshakeSeconds": 60})
    half = records(message(1, b"\3\3" + b"a" * 100_000)[:60_000], 16_000)
    with world.start() as server, contextlib.ExitStack() as stack:
        for _ in range(30):
            stack.enter_context(Wire(server.secure)).send(half)
        eventually(lambda: server.closes("too_much_kept") > 5, "room is made")
        equal(server.curl(PATH).status, 200)


@group.promise("who keeps nothing makes no room for who keeps much: silent handshakes outlive an upload beyond keptBytes")
def _():
    limits = {"keptBytes": 1_048_576, "contentBytes": 4_194_304}
    with World(workers=1, limits=limits).start() as server, contextlib.ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(Wire(server.secure))
        eventually(lambda: server.metrics()["bridgehost_handshakes"] == 20, "all are accepted")
        with counts(server, "too_much_kept"), server.wire() as wire, contextlib.suppress(OSError):
            wire.send(request(PATH, "localhost", "Content-Length: 4000000", method="POST") + b"x" * 1_500_000)
            wire.rest()
        equal(server.metrics()["bridgehost_handshakes"], 20)


@group.promise("when all others idle, the one that has idled longest makes room: too_many_connections")
def _():
    with World(workers=1, limits={"connections": 3}).start() as server, contextlib.ExitStack() as stack:
        idle = []
        for _ in range(3):
            # One after another is idle: each before the next connects.
            idle.append(stack.enter_context(server.wire()))
            equal(idle[-1].get(REST).status, 200)
        with counts(server, "too_many_connections"):
            # The admin listener's connection counts, but is never refused and takes nobody's place.
            equal(stack.enter_context(server.wire()).get(PATH).status, 200)
            equal(idle[0].socket.recv(1), b"", "the oldest is closed")
        equal((idle[1].get(PATH).status, idle[2].get(PATH).status), (200, 200))


@group.promise("an address that has too many is turned away, another is served: too_many_from_address")
def _():
    with World(limits={"connectionsPerAddress": 2}).start() as server, contextlib.ExitStack() as stack:
        for _ in range(2):
            equal(stack.enter_context(server.wire(source="127.0.0.9")).get(PATH).status, 200)
        with counts(server, "too_many_from_address"), Wire(server.secure, source="127.0.0.9") as extra:
            holds(extra.ends(), "the third is closed")
        equal(server.curl(PATH).status, 200)


@group.promise("of too many handshakes the oldest makes room, so that silent clients keep nobody out: too_many_handshakes")
def _():
    with World(workers=1, limits={"handshakes": 2}).start() as server, contextlib.ExitStack() as stack:
        silent = [stack.enter_context(Wire(server.secure)) for _ in range(2)]
        eventually(lambda: server.metrics()["bridgehost_handshakes"] == 2, "both are accepted")
        with counts(server, "too_many_handshakes"):
            equal(server.curl(PATH).status, 200)
            holds(silent[0].ends(), "the oldest is closed")
        equal(server.metrics()["bridgehost_handshakes"], 1)


@group.promise("an operator and a probe are answered however full it is")
def _():
    limits = {"connections": 1, "connectionsPerAddress": 1}
    with World(limits=limits).start() as server, server.wire() as busy:
        equal(busy.send(request(PATH) + request(REST)[:20]).response().status, 200)
        with contextlib.ExitStack() as stack:
            for _ in range(5):
                probe = stack.enter_context(Wire(server.admin))
                equal((probe.get("/livez").status, probe.get("/metrics").status), (200, 200))
        equal(busy.send(request(REST)[20:]).response().status, 200)


@group.promise("IPv6: pages by TLS and redirects at [::1], and their clients are limited like others")
def _():
    six = [{"address": "::1", "port": 0, "tls": True}, {"address": "::1", "port": 0, "redirect": True}]
    world = World(listeners=six, limits={"connectionsPerAddress": 1}, publicBaseURL=None)
    with world.start() as server:
        contains(server.output, f"listening https://[::1]:{server.secure}")
        name = ["--cacert", server.ca, "--resolve", f"localhost:{server.secure}:[::1]"]
        equal(curl(f"https://localhost:{server.secure}{PATH}", *name).status, 200)
        eventually(lambda: server.metrics()["bridgehost_connections"] == 1, "only this question is open")
        with Wire(server.redirect, address="::1") as wire:
            answer = wire.get(PATH, f"[::1]:{server.redirect}")
            equal((answer.status, answer.one("Location")), (308, f"https://[::1]:{server.secure}{PATH}"))
            with counts(server, "too_many_from_address"), Wire(server.secure, address="::1") as extra:
                holds(extra.ends(), "the second is closed")


@group.promise("/metrics is in Prometheus' format, and every connection that was accepted is open or counted as ended")
def _(server):
    answer = server.ask_admin("/metrics")
    equal(answer.one("Content-Type"), "text/plain; version=0.0.4; charset=utf-8")
    lines = answer.body.decode().splitlines()
    names = [line.split(" ")[2] for line in lines if line.startswith("# TYPE ")]
    equal(len(names), len(set(names)), "each family once")
    equal([line.split(" ")[2] for line in lines if line.startswith("# HELP ")], names)
    for line in lines:
        name = re.sub("_(bucket|sum|count)$", "", line.split("{")[0].split(" ")[0])
        holds(line.startswith("#") or name in names, line)
    counted = server.metrics()
    ended = sum(value for name, value in counted.items() if name.startswith("bridgehost_connections_closed_total"))
    equal(counted["bridgehost_connections_accepted_total"], ended + counted["bridgehost_connections"])
