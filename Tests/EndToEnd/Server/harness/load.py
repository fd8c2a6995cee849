"""Clients that ask without a pause, and remember what became of every request."""
import collections
import threading
import time

from .wire import Wire, request
from .world import PATH, REST

Request = collections.namedtuple("Request", "kind sent outcome")
PATHS = (PATH, REST, "/wrong")


class Load:
    """Fresh and kept connections, TLS and in the clear, each in a thread; ended on the way out of the context."""

    def __init__(self, server, paths=PATHS):
        self.server, self.paths = server, paths
        self.requests, self.ended = [], threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(kind, *options), daemon=True) for kind, *options in (
            ("fresh", False, False), ("fresh TLS", True, False), ("kept", False, True), ("kept TLS", True, True))]

    def __enter__(self):
        # One connection first, so that all clients share the TLS context that it makes.
        self.server.wire().socket.close()
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join(20)

    def outcomes(self, until=float("inf")):
        """How many requests that were sent before a time came to what."""
        return collections.Counter(one.outcome for one in self.requests if one.sent < until)

    def _run(self, kind, uses_tls, keeps):
        while not self.ended.is_set():
            try:
                wire = self.server.wire() if uses_tls else Wire(self.server.plain)
            except OSError:
                # Nobody listens any more, or no longer wants to shake hands: nothing was asked.
                self.ended.wait(0.01)
                continue
            with wire:
                while not self.ended.is_set() and self._ask(wire, kind) and keeps:
                    pass

    def _ask(self, wire, kind):
        """Asks once; whether the connection may be used again."""
        path = self.paths[len(self.requests) % len(self.paths)]
        try:
            wire.send(request(path))
        except OSError:
            return False
        sent, outcome, goes_on = time.monotonic(), "torn", False
        try:
            answer = wire.response()
            outcome = "whole" if answer.status == (404 if path == "/wrong" else 200) else f"status {answer.status}"
            goes_on = answer.get("Connection") != "close"
        except (OSError, AssertionError) as error:
            if not wire.buffer and "early" not in str(error):
                outcome = "unanswered"
        self.requests.append(Request(kind, sent, outcome))
        return goes_on
