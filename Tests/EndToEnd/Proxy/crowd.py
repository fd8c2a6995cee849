"""Clients that ask a balancer without end, and remember what became of every request."""
import collections
import threading
import time

from harness.wire import Wire, request, tls_context
from harness.world import PATH, REST

Request = collections.namedtuple("Request", "kind begun outcome")
# Between two requests of a client; so there are idle connections when a replica closes them.
PAUSE = 0.005


class Crowd:
    """Fresh and kept connections to each of the ports, each in a thread; ended on the way out of the context.

    A kept connection may end between two requests, as any may that HTTP has open: whoever asks just then asks again on
    another one (RFC 9112 §9.3.1), once. That is told apart from what came whole at once.
    """

    def __init__(self, ca, ports):
        self.context = tls_context(ca)
        self.requests, self.ended = [], threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(f"{kind} {name}", port, kind == "kept"), daemon=True)
                        for name, port in ports.items() for kind in ("fresh", "kept")]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join(20)

    def failed(self):
        return [one for one in self.requests if one.outcome not in ("whole", "asked again")]

    def kinds(self, since=0):
        """How often each kind of client was answered, of the requests from a place on."""
        return collections.Counter(one.kind for one in self.requests[since:] if one.outcome in ("whole", "asked again"))

    def _run(self, kind, port, keeps):
        wire = None
        while not self.ended.wait(PAUSE):
            begun, was_kept = time.monotonic(), wire is not None
            outcome, wire = self._ask(port, wire)
            if outcome == "unanswered" and was_kept:
                again, wire = self._ask(port, None)
                outcome = "asked again" if again == "whole" else f"{again}, the second time"
            self.requests.append(Request(kind, begun, outcome))
            if wire and not keeps:
                wire.socket.close()
                wire = None
        if wire:
            wire.socket.close()

    def _ask(self, port, wire):
        """What became of a request, and the connection if it may be used again."""
        path = (PATH, REST)[len(self.requests) % 2]
        try:
            wire = wire or Wire(port, self.context)
        except OSError as error:
            return f"no connection: {error}", None
        try:
            answer = wire.send(request(path)).response()
        except (OSError, AssertionError) as error:
            wire.socket.close()
            return "torn" if wire.buffer or "early" in str(error) else "unanswered", None
        if answer.get("Connection") == "close":
            wire.socket.close()
            wire = None
        return "whole" if answer.status == 200 else f"status {answer.status}", wire
