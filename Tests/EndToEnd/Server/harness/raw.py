"""Tables of raw requests. Each is sent in several ways, and all that comes back is read to the connection's end.

A row is the bytes that vary; its table says what stands around them and what the answer must be. Behind every request
waits a canary: another request, which is answered if the connection stays open and never if it does not. So a request
that is taken for two, or for half of one, is seen.
"""
import contextlib
import json

from .promises import Broken, holds
from .tools import parse_head
from .wire import Wire, tls_context
from .world import LIST, PATH, REST, World

CANARY = f"GET {REST} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
GOOD = f"GET {LIST} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
LISTENERS = [{"address": "127.0.0.1", "port": 0, "tls": True}, {"address": "127.0.0.1", "port": 0, "tls": False},
             {"address": "127.0.0.1", "port": 0, "redirect": True}]
SHOWN = 10
# Whether every table is sent in two pieces at every place, too; of long requests, this many places at either end.
every_split = False
SPLITS = 300


class Outcome:
    """Which statuses are right, and whether the connection stays open for another request."""

    def __init__(self, *statuses, stays, everywhere=False):
        self.statuses, self.stays, self.everywhere = statuses, stays, everywhere

    def __str__(self):
        return "/".join(map(str, self.statuses)) + ("" if self.stays else " and closed")


def answered(*statuses):
    return Outcome(*statuses, stays=True)


def refused(*statuses):
    """With an error, after which nothing more is read: that is proven on the redirect listener too."""
    return Outcome(*statuses, stays=False, everywhere=True)


def ended(*statuses):
    """Answered like any other; then the connection closes, as the request asked."""
    return Outcome(*statuses, stays=False)


class Place:
    """A server with a listener of each kind, and how to ask it."""

    def __init__(self, server):
        self.server, self.context = server, tls_context(server.ca)
        with self.open(tls=False) as wire:
            self.tag = wire.get(PATH).one("ETag").encode()

    def open(self, tls, port=None):
        return Wire(self.server.secure, self.context) if tls else Wire(port or self.server.plain)

    def exchange(self, pieces, heads, tls=False, port=None):
        """Sends the pieces, reads to the end and takes the answers apart; `heads` says which requests are HEAD."""
        with self.open(tls, port) as wire:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                for piece in pieces:
                    wire.send(piece)
            return answers(wire.rest(), heads)


def answers(stream, heads):
    """All answers of a stream of bytes, which must hold nothing else."""
    found, heads = [], iter(heads)
    while stream:
        head, end, rest = stream.partition(b"\r\n\r\n")
        if not end:
            raise Broken(f"no head: {stream[:80]!r}")
        answer = parse_head(head)
        length = 0
        if answer.status >= 200 and not next(heads, False) and answer.status not in (204, 304):
            length = int(answer.one("Content-Length"))
        if len(rest) < length:
            raise Broken(f"{length - len(rest)} bytes of content are missing")
        answer.body, stream = rest[:length], rest[length:]
        found.append(answer)
    return found


def _ways(sent, outcome, tls):
    """How a request is sent: name, pieces, HEAD or not for each request, TLS or not, listener."""
    is_head, half = sent.startswith(b"HEAD "), max(1, len(sent) // 2)
    yield "whole", [sent + CANARY], [is_head, False], False, "plain"
    yield "in two pieces", [sent[:half], sent[half:] + CANARY], [is_head, False], False, "plain"
    yield "behind a good request", [GOOD + sent + CANARY], [False, is_head, False], False, "plain"
    if every_split:
        for at in range(1, len(sent)):
            if min(at, len(sent) - at) <= SPLITS:
                yield f"split at {at}", [sent[:at], sent[at:] + CANARY], [is_head, False], False, "plain"
    if tls:
        yield "by TLS", [sent + CANARY], [is_head, False], True, "secure"
    if sent.startswith(b"GET "):
        yield "as HEAD", [b"HEAD " + sent[4:] + CANARY], [True, False], False, "plain"
    if outcome.everywhere:
        yield "to the redirect listener", [sent + CANARY], [is_head, False], False, "redirect"


def _check(found, outcome, expected):
    statuses = [answer.status for answer in found]
    wanted = [200] * (expected - 1) + [outcome.statuses] + [200] * outcome.stays
    right = len(statuses) == len(wanted) and all(
        one in good if isinstance(good, tuple) else one == good for one, good in zip(statuses, wanted))
    holds(right, f"answered {statuses or 'nothing'}")
    for number, answer in enumerate(found):
        is_last = number == len(found) - 1
        closes = answer.get("Connection") == "close"
        holds(closes == is_last, f"Connection: {answer.get('Connection')} in answer {number + 1} of {len(found)}")
        for name in ("Date", "Content-Security-Policy", "X-Content-Type-Options"):
            answer.one(name)
        if answer.status == 405:
            answer.one("Allow")
        if answer.status >= 400 and answer.body:
            holds(json.loads(answer.body)["status"] == answer.status, f"a body that says {answer.body!r}")


def _failures(place, sent, outcome, tls, check):
    for way, pieces, heads, by_tls, listener in _ways(sent, outcome, tls):
        try:
            found = place.exchange(pieces, heads, by_tls, getattr(place.server, listener))
            if b"expect:" in sent.lower():
                # Whether the content was seen before it had to be asked for depends on the network.
                found = [answer for answer in found if answer.status != 100]
            number = 1 + (way == "behind a good request")
            _check(found, outcome, number)
            holds(check(found[number - 1]), f"answered with {found[number - 1].fields}")
        except (AssertionError, OSError) as error:
            yield f"{way}: {error or type(error).__name__}"


class Table:
    """A group of tables that share a server; every table is one promise."""

    def __init__(self, group):
        self.group = group

    def __call__(self, sentence, outcome, rows, wrap=lambda row: row, tls=True, check=lambda answer: True):
        """`rows`: bytes, or a name for each; `tls`: whether to ask by TLS too; `check`: what else the answer has."""
        named = rows if isinstance(rows, dict) else {repr(row)[2:-1]: row for row in rows}

        def prove(place):
            broken = [f"{name[:120]} {failure}" for name, row in named.items()
                      for failure in _failures(place, wrap(row).replace(b"<tag>", place.tag), outcome, tls, check)]
            if broken:
                raise Broken("\n".join([f"{len(broken)} broken:", *broken[:SHOWN]]))

        self.group.promise(f"{outcome}: {sentence} ({len(named)})")(prove)


def place(**settings):
    """One server for a group's setup."""
    with World(listeners=LISTENERS, **settings).start() as server:
        yield Place(server)


# What stands around a row.

def of_line(line):
    """A request whose line is the row."""
    return line + b"\r\nHost: localhost\r\n\r\n"


def of_target(target, method=b"GET"):
    return of_line(method + b" " + target + b" HTTP/1.1")


def of_head(fields, method=b"GET", version=b"HTTP/1.1", target=PATH.encode()):
    """A request whose field lines are the row, with their line ends."""
    return b"%s %s %s\r\n%s\r\n" % (method, target, version, fields)


def of_field(line, method=b"GET", version=b"HTTP/1.1"):
    """A request with the row as a field line, which needs no line end, behind Host."""
    return of_head(b"Host: localhost\r\n" + line + b"\r\n", method, version)


def of_host(value):
    return of_head(b"Host: " + value + b"\r\n")


def of_chunks(body):
    """A request whose chunked content is the row."""
    return of_field(b"Transfer-Encoding: chunked", b"POST") + body
