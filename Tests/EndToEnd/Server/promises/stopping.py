"""How the service ends: what was begun is finished, what is idle is closed, and nothing holds it for ever."""
import contextlib
import pathlib
import signal
import time

from harness.faults import injected
from harness.load import Load
from harness.promises import Broken, Group, equal, eventually, holds
from harness.wire import Wire, client_hello, request
from harness.world import BOTH, BULK, DESCRIPTOR, PATH, REST, World

group = Group("Stopping")
PLAIN = {"address": "127.0.0.1", "port": 0, "tls": False}
# Together some 13 MB: more than the buffers between a server and a client that does not read ever hold.
ANSWERS = 40


def huge(**settings):
    """A world with an answer of 320 KB."""
    world = World(**settings)
    world.add_bulk()
    return world


def stop(server, which=signal.SIGTERM):
    server.signal(which)
    server.wait_line(r"^stopping: ")


def stop_and_see(server):
    """Stops it and waits until every worker knows: none takes a new connection any more."""
    port = server.secure
    stop(server)
    eventually(lambda: is_refused(port), "the port is closed")


def is_refused(port):
    try:
        Wire(port).socket.close()
    except (ConnectionRefusedError, ConnectionResetError):
        return True


@contextlib.contextmanager
def half_read(server):
    """A client with a tiny receive buffer that has asked for much and read only the beginning of the first answer."""
    with server.wire(receive_buffer=2_048) as wire:
        wire.send(request(BULK) * ANSWERS)
        while b"\r\n\r\n" not in wire.buffer:
            holds(wire._more(512), "an answer begins")
        yield wire


@group.each("{} stops it: exit 0, at once when nothing is open, and it says so",
            {"SIGTERM": signal.SIGTERM, "SIGINT": signal.SIGINT})
def _(which):
    with World().start() as server:
        equal(server.curl(PATH).status, 200)
        begun = time.monotonic()
        stop(server, which)
        equal(server.wait_end(), 0)
        holds(time.monotonic() - begun < 3, "at once")
        server.wait_line("^stopped$")


@group.promise("answers that a slow client is reading are finished before the end, whole; the last one says that it is")
def _():
    with huge().start() as server:
        expected = server.curl(BULK).body
        with half_read(server) as wire:
            stop_and_see(server)
            equal(server.process.poll(), None, "it waits")
            answers = 0
            while answers < ANSWERS:
                answer = wire.response()
                holds(answer.body == expected, "a whole answer")
                answers += 1
                if answer.get("Connection") == "close":
                    break
            holds(0 < answers < ANSWERS, f"{answers} answers: what was not begun is not answered")
            holds(wire.ends(), "and closed")
        equal(server.wait_end(), 0)


@group.promise("a request of which half had come is answered, with Connection: close")
def _():
    with World().start() as server, server.wire() as wire:
        equal(wire.get(REST).status, 200)
        # Half of the second request travels with the whole first, so that it has come when the first is answered.
        wire.send(request(REST) + request(PATH)[:20]).response()
        stop_and_see(server)
        equal(server.process.poll(), None, "it waits")
        answer = wire.send(request(PATH)[20:]).response()
        equal((answer.status, answer.one("Connection")), (200, "close"))
        holds(wire.ends(), "and closed")
        equal(server.wait_end(), 0)


@group.promise("connections that wait to be accepted are served, also when accepting fails for a while as it stops: EMFILE")
def _():
    with World(workers=1, listeners=[PLAIN]).start() as server, injected(server, "accept4:error=EMFILE:when=1..5"):
        with contextlib.ExitStack() as stack:
            waiting = [stack.enter_context(Wire(server.plain)).send(request(PATH)) for _ in range(5)]
            stop(server)
            for wire in waiting:
                answer = wire.response()
                equal((answer.status, answer.one("Connection")), (200, "close"))
        equal(server.wait_end(), 0)


def worker_state(server):
    """How the kernel sees the only worker: S while it sleeps in a call, t while a tracer holds it."""
    for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
        if (task / "comm").read_text().startswith("worker"):
            return (task / "stat").read_text().rpartition(")")[2].split()[0]


@group.each("a request that has come is answered, although the wait for it fails as it stops: {}", {
    "EINTR": "EINTR", "ENOMEM": "ENOMEM"})
def _(error):
    with World(workers=1, listeners=[PLAIN]).start() as server, Wire(server.plain) as wire:
        equal(wire.get(REST).status, 200)
        # Every other wait fails, and the tracer holds it for a second first.
        with injected(server, f"epoll_pwait:error={error}:delay_exit=1000000:when=1+2"):
            eventually(lambda: worker_state(server) == "S", "it waits in a call that does not fail", within=10)
            stop(server)
            eventually(lambda: is_refused(server.plain), "the worker knows")
            answer = wire.get(PATH)
            equal((answer.status, answer.one("Connection")), (200, "close"))
            equal(server.wait_end(), 0)


@group.promise("more requests than one wait tells of are answered, although the grace for silent connections is over")
def _():
    for _ in range(5):
        if crowd_is_answered():
            return
    raise Broken("it was never stopped in time")


def crowd_is_answered():
    with World(workers=1, listeners=[PLAIN]).start() as server, contextlib.ExitStack() as stack:
        silent = [stack.enter_context(Wire(server.plain)) for _ in range(400)]
        eventually(lambda: server.metrics()["bridgehost_connections"] == 401, "all are accepted")
        begun = time.monotonic()
        server.signal(signal.SIGTERM)
        server.wait_line(r"^stopping: ")
        eventually(lambda: is_refused(server.plain), "it stops")
        server.signal(signal.SIGSTOP)
        if time.monotonic() - begun > 0.8:
            return False
        for wire in silent:
            wire.send(request(REST))
        # The grace is a second from the moment that it stops.
        eventually(lambda: time.monotonic() - begun > 1.2, "the grace is over")
        server.signal(signal.SIGCONT)
        for wire in silent:
            equal(wire.response().status, 200)
        equal(server.wait_end(), 0)
        return True


@group.promise("idle kept connections are closed, properly")
def _():
    with World().start() as server, server.wire() as one, server.wire() as two:
        equal((one.get(PATH).status, two.get(PATH).status), (200, 200))
        stop(server)
        holds(one.ends() and two.ends(), "closed")
        equal(server.wait_end(), 0)


@group.promise("new connections are refused once it stops")
def _():
    with huge().start() as server, half_read(server) as wire:
        stop_and_see(server)
        equal(server.process.poll(), None, "while old answers are still on their way")
        equal(wire.response().status, 200)


@group.promise("a client that reads nothing, a silent one and half a handshake hold it no longer than drainSeconds")
def _():
    with huge(timeouts={"drainSeconds": 1}).start() as server:
        with half_read(server), Wire(server.secure), Wire(server.secure) as half:
            half.send(client_hello()[:50])
            begun = time.monotonic()
            stop(server)
            equal(server.wait_end(), 0)
            took = time.monotonic() - begun
            holds(0.9 < took < 3, f"{took:.1f} s")


@group.promise("a second signal ends it at once, whatever is on its way")
def _():
    with huge().start() as server, half_read(server):
        stop(server)
        begun = time.monotonic()
        server.signal(signal.SIGTERM)
        server.wait_end(3)
        holds(time.monotonic() - begun < 2, "at once")
        server.wait_line("^stopped at once")


@group.promise("ten times it ends at once while clients shake hands, each time with exit 0")
def _():
    for _ in range(10):
        with World(listeners=BOTH, timeouts={"drainDelaySeconds": 5}).start() as server, Load(server):
            stop(server)
            server.signal(signal.SIGTERM)
            equal(server.wait_end(3), 0)


@group.promise("during drainDelaySeconds it serves on while /readyz says 503, so that a balancer can turn away")
def _():
    with World(timeouts={"drainDelaySeconds": 1}).start() as server, server.wire() as kept:
        equal(server.ask_admin("/readyz").status, 200)
        kept.get(PATH)
        stop(server)
        answer = server.ask_admin("/readyz")
        equal((answer.status, answer.one("Cache-Control")), (503, "no-store"))
        equal(server.ask_admin("/livez").status, 200)
        equal(server.curl(PATH).status, 200)
        # So it is not cut when the delay is over, while it may be asked again.
        equal(kept.get(PATH).one("Connection"), "close")
        equal(server.wait_end(), 0)


@group.promise("workers that can't be told to stop do not hold it: it ends by itself, and not as if all were well")
def _():
    with World(timeouts={"drainSeconds": 1}).start() as server:
        # Every wake-up is lost, and every line that it prints.
        with injected(server, "write:error=EIO:when=1+1"):
            server.signal(signal.SIGTERM)
            equal(server.wait_end(8), 1)


@group.promise("SIGHUP while it stops does not keep it")
def _():
    with huge(timeouts={"drainSeconds": 1}).start() as server, half_read(server):
        stop(server)
        server.signal(signal.SIGHUP)
        equal(server.wait_end(), 0)


def crowded():
    """A world that takes long to read."""
    world = World()
    for number in range(150):
        world.tenant(f"tenant-{number}")
    return world


def blocked_signals(server):
    with open(f"/proc/{server.process.pid}/status") as file:
        mask = next(line for line in file if line.startswith("SigBlk:"))
    return int(mask.split()[1], 16)


@group.promise("a stop that comes while it reads its files for the first time ends it: exit 0, and it never serves")
def _():
    with crowded().begin() as server:
        eventually(lambda: blocked_signals(server) >> (signal.SIGTERM - 1) & 1, "signals are taken")
        server.signal(signal.SIGTERM)
        equal(server.wait_end(), 0)
        equal(server.wait_line("^stopped|listening"), "stopped before it was ready")


@group.promise("a stop that comes while it reads its files again ends the reading")
def _():
    world = crowded()
    with world.start() as server:
        world.write("config/bridges/parrot.json", {**DESCRIPTOR, "title": "Another"})
        mark = server.mark()
        # Taken in this order, if both have come.
        server.signal(signal.SIGHUP)
        server.signal(signal.SIGTERM)
        equal(server.wait_end(), 0)
        server.wait_line("^stopped$", since=mark)
        equal([line for line in server.lines[mark:] if line and "reload" in line], [])


@group.promise("signals to reload that come faster than they are obeyed keep no stop away")
def _():
    with crowded().start() as server:
        server.signal(signal.SIGTERM)
        end = time.monotonic() + 10
        while server.process.poll() is None and time.monotonic() < end:
            server.signal(signal.SIGHUP)
        equal(server.process.poll(), 0)


@group.promise("the port is free for the next process at once")
def _():
    world = World()
    with world.start() as server, server.wire() as wire:
        equal(wire.get(PATH).status, 200)
        port = server.secure
        stop(server)
        server.wait_end()
        with world.start("--set", f"listeners.0.port={port}") as following:
            equal(following.secure, port)
            equal(following.curl(PATH).status, 200)
