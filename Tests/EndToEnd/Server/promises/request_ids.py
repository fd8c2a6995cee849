"""Request ids: every answer has one, the client's own if it is harmless, and nothing else depends on it."""
import re

from harness.promises import Group, equal, holds
from harness.tools import curl
from harness.wire import Wire, request
from harness.world import PATH, REST, World

BOTH = [{"address": "127.0.0.1", "port": 0, "tls": True}, {"address": "127.0.0.1", "port": 0, "tls": False},
        {"address": "127.0.0.1", "port": 0, "redirect": True}]
MADE = re.compile(r"[0-9a-f]{24}")


def three_doors():
    with World(listeners=BOTH).start() as server:
        yield server


group = Group("Request ids", three_doors)


def made(answer):
    one = answer.one("X-Request-ID")
    holds(MADE.fullmatch(one), f"{one!r} is made here")
    return one


@group.promise("every kind of answer has one, and no two are the same")
def _(server):
    tag = server.curl(PATH).one("ETag")
    ids = []
    with server.wire() as wire:
        for fields, method, path, status in (
                ((), "GET", PATH, 200), ((f"If-None-Match: {tag}",), "GET", PATH, 304), ((), "HEAD", PATH, 200),
                ((), "OPTIONS", PATH, 204), ((), "GET", "/nothing", 404), ((), "PUT", PATH, 405), ((), "GET", REST, 200),
                (('If-Match: "x"',), "GET", PATH, 412), (("Content-Length: 0",), "POST", REST + "/identity", 401),
                (("Content-Length: 0",), "POST", "/reports/polly/parrot", 400), ((), "TRACE", PATH, 405),
                (("Connection: close",), "GET", PATH, 200)):
            answer = wire.send(request(path, "localhost", *fields, method=method)).response(has_body=method != "HEAD")
            equal(answer.status, status)
            ids.append(made(answer))
    for raw in (b"no request\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/3.0\r\n\r\n", b"GRAB / HTTP/1.1\r\nHost: a\r\n\r\n",
                request(PATH, version="HTTP/1.0"), request(PATH, "localhost", "Connection: keep-alive", version="HTTP/1.0"),
                request(PATH, "other.example")):
        with server.wire() as wire:
            ids.append(made(wire.send(raw).response()))
    with Wire(server.secure) as wire:
        ids.append(made(wire.send(request(PATH)).response()))
    ids.append(made(curl(f"http://localhost:{server.redirect}{PATH}")))
    ids += [made(server.ask_admin(path)) for path in ("/livez", "/readyz", "/metrics", "/tenants", "/nothing")]
    equal(len(set(ids)), len(ids))


@group.promise("a thousand answers of all workers, pipelined and not, have a thousand ids")
def _(server):
    ids = []
    for _ in range(10):
        with Wire(server.plain) as wire:
            wire.send(request(REST) * 90)
            ids += [made(wire.response()) for _ in range(90)]
            ids += [made(wire.get(REST)) for _ in range(10)]
    equal(len(set(ids)), 1000)


@group.promise("one that the client sends is kept, if it is a plain word of at most 64 bytes; any other is not sent back")
def _(server):
    with server.wire() as wire:
        for own in ("a", "A.b_c-9", "x" * 64, "0af7651916cd43dd8448eb211c80319c"):
            for path, status in ((PATH, 200), ("/nothing", 404)):
                answer = wire.get(path, "localhost", f"x-request-id: {own}")
                equal((answer.status, answer.one("X-Request-ID")), (status, own))
        for own in ("", "x" * 65, "a b", "a/b", "<script>", '"', "a,b", "a;b", "\u00e9", "a\tb"):
            answer = wire.get(PATH, "localhost", f"X-Request-ID: {own}")
            equal(answer.status, 200)
            made(answer)
        made(wire.get(PATH))


@group.promise("an answer's other fields, content and entity tag are the same under any id")
def _(server):
    def rest(answer):
        return [field for field in answer.fields if field[0] not in ("X-Request-ID", "Date")], answer.body

    with server.wire() as wire:
        plain = wire.get(PATH)
        named = wire.get(PATH, "localhost", "X-Request-ID: unlikely-name")
        equal(rest(named), rest(plain))
        holds(b"unlikely-name" not in named.body, "it is in no content")
        cached = wire.get(PATH, "localhost", "X-Request-ID: b", f"If-None-Match: {plain.one('ETag')}")
        equal(cached.status, 304)


@group.promise("where proxies are trusted, only theirs is kept")
def _():
    for proxies, kept in ((["127.0.0.1"], True), (["192.0.2.0/24"], False)):
        with World(listeners=BOTH, trustedProxies=proxies).start() as server, Wire(server.plain) as wire:
            answer = wire.get(REST, "localhost", "X-Request-ID: of-a-proxy")
            equal(answer.one("X-Request-ID") == "of-a-proxy", kept)
