"""Reloads without a pause while clients ask without a pause: an answer is of one revision, whichever it is."""
import gzip
import re
import signal
import threading

from harness.load import Load, Request
from harness.promises import Group, equal, eventually, holds
from harness.wire import request
from harness.world import BOTH, shop, World

group = Group("Revisions")
ACME = "/acme/parrot.html"
KINDS = {"fresh", "fresh TLS", "kept", "kept TLS"}


class Readers(Load):
    """Clients that look into what they get: the body's word, the policy and the tag name one revision."""

    def __init__(self, server):
        super().__init__(server, [ACME])
        self.tags, self.statuses, self.lock = {}, set(), threading.Lock()

    def _ask(self, wire, kind):
        number = len(self.requests)
        packs, tag = number % 3 == 1, None
        fields = ["Accept-Encoding: gzip"] if packs else []
        if number % 2 and self.tags:
            # One that may be stale by now: a 304 then would be a lie.
            tag = next(reversed(self.tags))
            fields.append(f"If-None-Match: {tag}")
        try:
            answer = wire.send(request(ACME, "localhost", *fields)).response()
            outcome = self._judge(answer, tag)
        except (OSError, AssertionError) as error:
            self.requests.append(Request(kind, 0, f"lost: {error}"))
            return False
        self.requests.append(Request(kind, 0, outcome))
        return answer.get("Connection") != "close"

    def _judge(self, answer, asked):
        """What is wrong with an answer, or "whole"."""
        policy = re.search(r"https://r(\d+)\.example", answer.one("Content-Security-Policy"))
        if not policy or answer.status not in (200, 304):
            return f"status {answer.status}"
        revision, tag = policy[1], answer.one("ETag")
        with self.lock:
            self.statuses.add(answer.status)
            known = self.tags.setdefault(tag, revision)
        if known != revision:
            return f"the policy of {revision} with the tag of {known}"
        if answer.status == 304:
            return "whole" if tag == asked else "another tag than was asked for"
        body = gzip.decompress(answer.body) if answer.get("Content-Encoding") == "gzip" else answer.body
        word = re.search(rb'"word":"revision (\d+)"', body)
        if not word or word[1].decode() != revision:
            return f"the policy of {revision} with the body of {word and word[1]}"
        return "whole" if f'"revision":"{tag.strip(chr(34)).removesuffix("-gzip")}"' in body.decode() else "a foreign tag"


def put(world, number):
    world.tenant("acme", policy={"connect-src": [f"https://r{number}.example"]}, word=f"revision {number}")


def proves(world, server, readers, last):
    equal(set(readers.outcomes()), {"whole"}, str(readers.outcomes()))
    equal({one.kind for one in readers.requests}, KINDS)
    equal(readers.statuses, {200, 304})
    holds(all(server.closes(reason) == 0 for reason in ("failed", "rejected", "tls_failed")), "no other end")
    eventually(lambda: f"revision {last}".encode() in server.curl(ACME).body, "the last revision")
    eventually(lambda: server.open_files() == server.idle_files, "nothing stays open")


@group.promise("200 reloads by SIGHUP (2,000 with --long): no request is lost, none gets body, policy and tag of two revisions")
def _():
    world = World(listeners=BOTH)
    put(world, 0)
    count = 2_000 if shop().long else 200
    with world.start() as server:
        with Readers(server) as readers:
            eventually(lambda: {one.kind for one in readers.requests} == KINDS, "every kind of client", within=30)
            for number in range(1, count + 1):
                put(world, number)
                mark = server.mark()
                server.signal(signal.SIGHUP)
                server.wait_line("^reloaded:", since=mark, within=30)
        proves(world, server, readers, count)
        equal(server.metrics()['bridgehost_reloads_total{outcome="applied"}'], count)
        holds(len(set(readers.tags.values())) > count / 10, f"only {len(set(readers.tags.values()))} revisions were seen")


@group.promise("the same by watching alone, 20 times (200 with --long)")
def _():
    world = World(listeners=BOTH, watch=True)
    put(world, 0)
    count = 200 if shop().long else 20
    with world.start() as server:
        with Readers(server) as readers:
            for number in range(1, count + 1):
                mark = server.mark()
                put(world, number)
                server.wait_line("^reloaded:", since=mark, within=30)
        proves(world, server, readers, count)
