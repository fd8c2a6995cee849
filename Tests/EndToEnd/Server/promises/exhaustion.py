"""Resets, a closed output and too few descriptors: what a bad day does to the process from outside."""
import contextlib
import resource
import signal

from harness.promises import Group, contains, equal, eventually, holds
from harness.strangers import page_is_prompt
from harness.wire import Wire, client_hello, request
from harness.world import BOTH, BULK, PATH, REST, World



def sturdy():
    world = World(listeners=BOTH)
    world.add_bulk()
    with world.start() as server:
        page_is_prompt(server)
        yield server


group = Group("Resets and too few descriptors", sturdy)


def half_handshake(server):
    return Wire(server.secure).send(client_hello()[:60])


def answering(server):
    wire = server.wire(receive_buffer=2_048).send(request(BULK) * 10)
    holds(wire._more(100), "the answer begins")
    return wire


RESETS = {
    "before it is accepted": lambda server: Wire(server.plain),
    "in the middle of a handshake": half_handshake,
    "right after a handshake": lambda server: server.wire(),
    "in the middle of a head": lambda server: server.wire().send(request(PATH)[:30]),
    "in the middle of a body": lambda server: Wire(server.plain).send(
        request(PATH, "localhost", "Content-Length: 99", method="POST") + b"half"),
    "right after a request": lambda server: Wire(server.plain).send(request(BULK) * 10),
    "in the middle of a large answer": answering,
}


@group.each("100 clients that reset their connection {} harm nobody, and leave nothing", RESETS)
def _(server, begin):
    for _ in range(100):
        begin(server).reset()
    page_is_prompt(server, times=2)
    eventually(lambda: server.open_files() == server.idle_files, "all are closed")


@group.promise("SIGPIPE and a log that nobody reads any more do not end it")
def _():
    with World().start() as server:
        server.signal(signal.SIGPIPE)
        server.stop_reading()
        for _ in range(3):
            server.signal(signal.SIGHUP)
        page_is_prompt(server)
        equal(server.process.poll(), None, "it lives")
        server.signal(signal.SIGTERM)
        equal(server.wait_end(), 0)


@group.promise("a process that runs out of descriptors goes on, sleeps, and serves those who waited when some are free")
def _():
    with World(listeners=BOTH, workers=1).start() as server, contextlib.ExitStack() as stack:
        page_is_prompt(server)
        hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)[1]
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (server.open_files() + 10, hard))
        with contextlib.ExitStack() as crowd:
            busy = [crowd.enter_context(Wire(server.plain)) for _ in range(40)]
            for wire in busy:
                wire.send(request(REST))
            equal(busy[0].response().status, 200)
            waiting = stack.enter_context(Wire(server.plain).send(request(PATH)))
            before = server.cpu_ticks()
            waiting.socket.settimeout(1)
            with contextlib.suppress(TimeoutError):
                holds(not waiting._more(), "nobody is served beyond the limit")
            used = server.cpu_ticks() - before
            holds(used <= 10, f"it sleeps: {used} ticks of 10 ms in a second")
        waiting.socket.settimeout(10)
        equal(waiting.response().status, 200)
        holds(server.metrics()["bridgehost_accept_pauses_total"] > 0, "counted")


@group.promise("with a low ulimit -n it says how many connections it takes, and stays in reach of pages, probes and reloads")
def _():
    with World(listeners=BOTH).start("--set", "workers=2", files=80) as server, contextlib.ExitStack() as stack:
        contains(server.output, "the process may open few files (ulimit -n): at most ")
        # Of one address there are no more than half of them, in whatever they are.
        for number in range(200):
            with contextlib.suppress(OSError, AssertionError):
                stack.enter_context(Wire(server.plain, source="127.0.0.9")).send(request(REST)[:20 * (number % 2)])
        eventually(lambda: server.closes("too_many_from_address") > 100, "the others of that address are turned away")
        page_is_prompt(server, times=4)
        for number in range(200):
            with contextlib.suppress(OSError, AssertionError):
                wire = stack.enter_context(Wire(server.plain, source=f"127.0.1.{number}"))
                wire.send(request(REST)[:20 * (number % 2)])
        page_is_prompt(server, times=4)
        equal(server.ask_admin("/livez").status, 200)
        contains(server.reload()[0], "reloaded: ")
        equal(server.metrics()["bridgehost_accept_pauses_total"], 0, "it never ran out")
        eventually(lambda: server.closes("too_many_connections") > 100, "the oldest made room")
