"""Signals while clients ask without a pause: a reload and a stop lose nothing that was asked."""
import signal
import time

from harness.load import Load
from harness.promises import Group, equal, eventually, holds
from harness.world import BOTH, BULK, PATH, World

group = Group("Under load")


def runs(load, count):
    """The load has come so far, with every kind of client."""
    goal = len(load.requests) + count
    eventually(lambda: len(load.requests) >= goal and len({one.kind for one in load.requests}) == 4,
               f"{count} more requests, of every kind", within=30)


@group.promise("30 reloads under load: every request is answered whole, fresh and kept, TLS and in the clear; no file stays open")
def _():
    world = World(listeners=BOTH)
    with world.start() as server:
        with Load(server) as load:
            for number in range(30):
                world.tenant("acme", word=f"number {number}")
                server.reload()
                runs(load, 10)
        equal(set(load.outcomes()), {"whole"}, str(load.outcomes()))
        holds(all(server.closes(reason) == 0 for reason in ("failed", "rejected", "tls_failed")), "no other end")
        eventually(lambda: server.open_files() == server.idle_files, "nothing stays open")


@group.promise("SIGTERM under load, three times: what was asked before it is answered whole, later requests whole or not at all")
def _():
    world = World(listeners=BOTH)
    world.add_bulk()
    for _ in range(3):
        with world.start() as server, Load(server, [PATH, BULK]) as load:
            runs(load, 100)
            stopped = time.monotonic()
            server.signal(signal.SIGTERM)
            equal(server.wait_end(), 0)
            holds(time.monotonic() - stopped < 6, "soon")
        before = load.outcomes(until=stopped)
        equal(set(before), {"whole"}, str(before))
        holds(set(load.outcomes()) <= {"whole", "unanswered"}, str(load.outcomes()))


@group.promise("during drainDelaySeconds nothing is refused: every request is answered whole until the port closes")
def _():
    with World(listeners=BOTH, timeouts={"drainDelaySeconds": 2}).start() as server, Load(server) as load:
        runs(load, 50)
        server.signal(signal.SIGTERM)
        delay = time.monotonic() + 1.5
        server.wait_line("^stopping: ")
        equal(server.ask_admin("/readyz").status, 503)
        equal(server.wait_end(), 0)
        answered = load.outcomes(until=delay)
        equal(set(answered), {"whole"}, str(answered))
