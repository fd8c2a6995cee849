"""What becomes of a connection (RFC 9112 §9), and Expect (RFC 9110 §10.1.1)."""
import contextlib
import socket

from harness.promises import Group, equal, holds
from harness.raw import CANARY, LISTENERS, Table, answered, answers, ended, of_field, place, refused
from harness.wire import Wire, request
from harness.world import PATH, REST, World

group = Group("Raw: keeping, closing, expecting", place)
table = Table(group)
REPORTS = "/reports/polly/parrot"

table("Connection without close", answered(200), [
    b"", b"keep-alive", b"Keep-Alive", b"KEEP-ALIVE", b"keep-alive, keep-alive", b"upgrade", b"TE, keep-alive", b",",
    b", ,", b"closed", b"xclose", b"close-x", b"not close", b"\"close\"", b"close;a=b", b"close=1", b"clos\xe9",
    b"Host", b"Content-Length", b"transfer-encoding", b"\xff"], lambda value: of_field(b"Connection: " + value))

table("Connection with close", ended(200), [
    b"close", b"Close", b"CLOSE", b"cLoSe", b"close, keep-alive", b"keep-alive, close", b"keep-alive,close",
    b",close", b"close,", b", ,\tclose ,", b"x, close", b"TE, close, Upgrade", b"keep-alive\r\nConnection: close",
    b"close\r\nConnection: keep-alive", b"\r\nConnection: close"], lambda value: of_field(b"Connection: " + value))

table("HTTP/1.0 with keep-alive", answered(200), [
    b"keep-alive", b"Keep-Alive", b"KEEP-ALIVE", b"TE, keep-alive", b"keep-alive,", b"x\r\nConnection: keep-alive"],
    lambda value: of_field(b"Connection: " + value, version=b"HTTP/1.0"),
    check=lambda answer: answer.one("Connection") == "keep-alive")

table("HTTP/1.0 without keep-alive, or with close", ended(200), [
    b"", b"close", b"keep-alive, close", b"close, keep-alive", b"keep-alive\r\nConnection: close", b"x", b"keepalive",
    b"keep-alive-not", b"\"keep-alive\"", b"keep alive"],
    lambda value: of_field(b"Connection: " + value, version=b"HTTP/1.0"))

table("content in HTTP/1.0", ended(405), [
    b"Content-Length: 5", b"Content-Length: 5\r\nConnection: close"],
    lambda field: of_field(field, b"POST", b"HTTP/1.0") + b"hello")

table("100-continue without content", answered(200), {
    "without": of_field(b"Expect: 100-continue"),
    "of no bytes": of_field(b"Expect: 100-continue\r\nContent-Length: 0"),
    "in any letters": of_field(b"eXPECT: 100-CONTINUE"),
    "twice": of_field(b"Expect: 100-continue\r\nExpect: 100-continue"),
    "in a list": of_field(b"Expect: , 100-continue"), "nothing expected": of_field(b"Expect:")})

# Beyond the budget of reports the content is not read, and 204.
table("100-continue with content that has come", answered(204, 400), {
    "of a length": b"Content-Length: 5\r\n\r\nhello",
    "in chunks": b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"},
    lambda rest: request(REPORTS, "localhost", "Expect: 100-Continue", method="POST")[:-2] + rest)

table("expectations that nobody knows", refused(417), [
    b"miracles", b"100", b"continue", b"100-continue-x", b"x100-continue", b"200-ok", b"100-continue, miracles",
    b"miracles, 100-continue", b"100-continue;a=b", b"100-continue=1", b"\"100-continue\"", b"100 continue",
    b"100_continue", b"y 100-continue", b"100-continue y", b"100-continue\r\nExpect: miracles", b"\xff",
    b"100-continue\x80"], lambda value: of_field(b"Expect: " + value))

table("HTTP/1.0 knows no expectations", ended(200), [
    b"100-continue", b"miracles", b""], lambda value: of_field(b"Expect: " + value, version=b"HTTP/1.0"))

table("an expectation does not make a bad request good", refused(400, 413, 501), {
    "content that is too large": b"Content-Length: 99999999", "a bad length": b"Content-Length: +5",
    "two lengths": b"Content-Length: 5\r\nContent-Length: 6", "a bad coding": b"Transfer-Encoding: gzip",
    "an unknown one": b"Transfer-Encoding: gzip, chunked",
    "both": b"Content-Length: 5\r\nTransfer-Encoding: chunked"},
    lambda fields: of_field(b"Expect: 100-continue\r\n" + fields, b"POST"))


def expecting(*fields, version="HTTP/1.1"):
    return request(REPORTS, "localhost", "Expect: 100-Continue", *fields, method="POST", version=version)


@group.each("100 (Continue) is sent once, before content {}, and then the answer", {
    "of a length": ("Content-Length: 5", b"hello"), "in chunks": ("Transfer-Encoding: chunked",
    b"5\r\nhello\r\n0\r\n\r\n")})
def _(place, case):
    field, content = case
    with place.open(tls=False) as wire:
        equal(wire.send(expecting(field)).response().status, 100)
        for byte in content:
            wire.send(bytes([byte]))
        equal(wire.response().status, 400)
        equal(wire.send(CANARY).response().status, 200)
        holds(wire.ends(), "nothing more")


@group.promise("100 (Continue) keeps its place among pipelined answers")
def _(place):
    with place.open(tls=False) as wire:
        wire.send(request(REST) + expecting("Content-Length: 5"))
        equal([wire.response().status for _ in range(2)], [200, 100])
        wire.send(b"hello" + expecting("Content-Length: 5"))
        equal([wire.response().status for _ in range(2)], [400, 100])
        equal(wire.send(b"hello").response().status, 400)


@group.promise("100 (Continue) is never sent to HTTP/1.0, nor for content that is refused")
def _(place):
    with place.open(tls=False) as wire:
        equal(wire.send(expecting("Content-Length: 5", version="HTTP/1.0") + b"hello").response().status, 400)
    with place.open(tls=False) as wire:
        equal(wire.send(expecting("Content-Length: 99999999")).response().status, 413)
        holds(wire.ends(), "closed")


@group.each("the answer is sent instead of 100 (Continue), and the connection closed, {}", {
    "where nothing is": ("plain", "POST", "/wrong", "localhost", 404),
    "where content is not taken": ("plain", "POST", PATH, "localhost", 405),
    "where POST alone takes it": ("plain", "PUT", REPORTS, "localhost", 405),
    "to TRACE": ("plain", "TRACE", PATH, "localhost", 405), "to CONNECT": ("plain", "CONNECT", "a:1", "localhost", 405),
    "to OPTIONS": ("plain", "OPTIONS", REPORTS, "localhost", 204),
    "at another's host": ("plain", "POST", REPORTS, "elsewhere.example", 421),
    "for a malformed path": ("plain", "POST", "/%zz", "localhost", 400), "to GET": ("plain", "GET", PATH, "localhost", 200),
    "to GET by TLS": ("secure", "GET", PATH, "localhost", 200),
    "by a redirect": ("redirect", "GET", PATH, "localhost", 308),
    "in the clear": ("redirect", "POST", REPORTS, "localhost", 403),
    "to the admin": ("admin", "POST", "/livez", "localhost", 405),
    "for content with a coding": ("plain", "POST", REPORTS, "localhost\r\nContent-Encoding: gzip", 415)})
def _(place, case):
    listener, method, path, host, status = case
    for framing in (f"Content-Length: {len(CANARY)}", "Transfer-Encoding: chunked"):
        with place.open(listener == "secure", getattr(place.server, listener)) as wire:
            wire.send(request(path, host, "Expect: 100-continue", framing, method=method))
            answer = wire.response()
            equal((answer.status, answer.one("Connection")), (status, "close"))
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                wire.send(CANARY)
            holds(wire.ends(), "what comes all the same is no request")


@group.promise("a client that has said all, and shuts its side, gets all answers")
def _(place):
    for count in (1, 3, 50):
        with place.open(tls=False) as wire:
            wire.send(request(PATH) * count).socket.shutdown(socket.SHUT_WR)
            for _ in range(count):
                equal(wire.response().status, 200)
            holds(wire.ends(), "closed")


@group.promise("a client that stops in the middle, and shuts its side, gets no answer to half a request")
def _(place):
    for half in (request(PATH)[:-2], request(PATH)[:9], request(PATH, "localhost", "Content-Length: 5")):
        with place.open(tls=False) as wire:
            wire.send(request(REST) + half).socket.shutdown(socket.SHUT_WR)
            equal(wire.response().status, 200)
            holds(wire.ends(), "nothing more")


@group.promise("a client that goes on sending after a refusal still reads why it was refused")
def _(place):
    for tls in (False, True):
        with place.open(tls) as wire:
            try:
                wire.send(b"BREW / HTTP/1.1\r\n")
                for _ in range(32):
                    wire.send(b"a" * 4_096)
            except (BrokenPipeError, ConnectionResetError):
                pass
            equal(wire.response().status, 501)


@group.promise("40 pipelined requests of all kinds are answered in their order, up to the one that is refused")
def _(place):
    kinds = [(request(PATH), 200), (request("/wrong"), 404), (request(PATH, method="OPTIONS"), 204), (request("/%zz"),
    400),
             (b"\r\n" + request(REST, "elsewhere.example"), 421), (request(PATH, "localhost",
             "Content-Length: 5") + b"hello", 200),
             (request(REST, "localhost", f"If-None-Match: *"), 304), (request(PATH, "localhost",
             "Transfer-Encoding: chunked", method="PUT") + b"1\r\na\r\n0\r\n\r\n", 405)]
    with place.open(tls=False) as wire:
        wire.send(b"".join(sent for sent, _ in kinds * 5) + b"GET /\x00 HTTP/1.1\r\n\r\n" + request(PATH))
        equal([wire.response().status for _ in kinds * 5], [status for _, status in kinds * 5])
        equal(wire.response().status, 400)
        holds(wire.ends(), "nothing after it")


@group.promise("a head or content that does not come is answered 408 and closed; HEAD gets no content with it")
def _():
    halves = {half: method == "HEAD" for method in ("GET", "HEAD") for half in (
        request(PATH, method=method)[:-2], request(PATH, "localhost", "Content-Length: 5", method=method) + b"hell")}
    timeouts = {"headSeconds": 1, "bodySeconds": 1}
    with World(listeners=LISTENERS, timeouts=timeouts).start() as server, contextlib.ExitStack() as stack:
        waiting = [(stack.enter_context(Wire(server.plain)).send(half), is_head) for half, is_head in halves.items()]
        for wire, is_head in waiting:
            found = answers(wire.rest(), [is_head])
            equal([(answer.status, answer.one("Connection")) for answer in found], [(408, "close")])
