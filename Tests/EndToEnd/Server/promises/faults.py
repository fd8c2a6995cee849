"""System calls that fail: one connection ends at most, others are served, the fault is counted, nothing spins or hangs."""
import contextlib

from harness.faults import injected
from harness.promises import Group, contains, equal, eventually, holds
from harness.strangers import page_is_prompt
from harness.tools import curl
from harness.wire import Wire, tls_context
from harness.world import BOTH, BULK, EDGE, PATH, REST, shop, World



def bulky(**settings):
    world = World(listeners=BOTH, **settings)
    world.add_bulk()
    return world


def sturdy():
    with bulky().start() as server:
        page_is_prompt(server)
        url = f"http://localhost:{server.plain}"
        server.lengths = {path: len(curl(url + path).body) for path in (PATH, BULK)}
        yield server


group = Group("Faults of the system", sturdy)
ROUNDS = 16


def tries(server):
    """Asks by new connections, TLS and in the clear, small and large; how many were answered whole."""
    context = tls_context(server.ca)
    served = 0
    for number in range(ROUNDS):
        path = (PATH, BULK)[number % 2]
        with contextlib.suppress(OSError, AssertionError):
            with Wire(server.plain) if number % 4 < 2 else Wire(server.secure, context) as wire:
                answers = [wire.get(path), wire.get(path, "localhost", "Connection: close")]
                whole = all((one.status, len(one.body)) == (200, server.lengths[path]) for one in answers)
                served += whole and wire.ends()
    return served


def sleeps(server):
    """It uses no processor time while nobody asks."""
    with Wire(server.plain) as idle:
        equal(idle.get(REST).status, 200)
        before = server.cpu_ticks()
        idle.socket.settimeout(0.3)
        with contextlib.suppress(TimeoutError):
            idle.socket.recv(1)
        used = server.cpu_ticks() - before
        holds(used <= 5, f"{used} ticks of 10 ms in 0.3 s")


def ended(reason):
    return f'bridgehost_connections_closed_total{{reason="{reason}"}}'


# What is repeated costs nobody anything: the call, how it fails, which of a thread's calls, and what counts it.
HARMLESS = {
    "accept4: EMFILE, the process is out of descriptors": ("accept4:error=EMFILE:when=1+2", "bridgehost_accept_pauses_total"),
    "accept4: ENFILE, the machine is out of files": ("accept4:error=ENFILE:when=1+2", "bridgehost_accept_pauses_total"),
    "accept4: ENOMEM, out of memory": ("accept4:error=ENOMEM:when=1+2", "bridgehost_accept_pauses_total"),
    "accept4: ENOBUFS, out of socket memory": ("accept4:error=ENOBUFS:when=1+2", "bridgehost_accept_pauses_total"),
    "accept4: ECONNABORTED, the client has gone": ("accept4:error=ECONNABORTED:when=1+2", "bridgehost_accept_aborts_total"),
    "accept4: EPROTO": ("accept4:error=EPROTO:when=1+2", "bridgehost_accept_aborts_total"),
    "accept4: EPERM, a firewall": ("accept4:error=EPERM:when=1+2", "bridgehost_accept_aborts_total"),
    "accept4: EINTR": ("accept4:error=EINTR:when=1+2", None),
    "accept4: EAGAIN though one waits": ("accept4:error=EAGAIN:when=1+2", None),
    "setsockopt on an accepted socket: EINVAL": ("setsockopt:error=EINVAL:when=1+1", None),
    "recvfrom: EINTR": ("recvfrom:error=EINTR:when=1+2", None),
    "recvfrom: EAGAIN": ("recvfrom:error=EAGAIN:when=1+2", None),
    "sendto: EINTR": ("sendto:error=EINTR:when=1+2", None),
    "sendto: EAGAIN, at every place of every answer and handshake": ("sendto:error=EAGAIN:when=1+2", None),
    "sendmsg: EINTR": ("sendmsg:error=EINTR:when=1+2", None),
    "sendmsg: EAGAIN": ("sendmsg:error=EAGAIN:when=1+2", None),
    "epoll_pwait: EINTR": ("epoll_pwait:error=EINTR:when=1+2", None),
    "epoll_pwait: ENOMEM": ("epoll_pwait:error=ENOMEM:when=1+3", "bridgehost_poll_failures_total"),
}
# These end the connection that they strike.
STRIKING = {
    "recvfrom: ECONNRESET": ("recvfrom:error=ECONNRESET:when=3+5", ended("peer_aborted")),
    "recvfrom: ETIMEDOUT": ("recvfrom:error=ETIMEDOUT:when=3+5", ended("peer_aborted")),
    "recvfrom: ENOMEM": ("recvfrom:error=ENOMEM:when=3+5", ended("failed")),
    "sendto: EPIPE": ("sendto:error=EPIPE:when=3+5", ended("peer_aborted")),
    "sendto: ECONNRESET": ("sendto:error=ECONNRESET:when=3+5", ended("peer_aborted")),
    "sendto: ENOBUFS": ("sendto:error=ENOBUFS:when=3+5", ended("failed")),
    "sendmsg: ENOMEM": ("sendmsg:error=ENOMEM:when=2+3", ended("failed")),
    "sendmsg: EPIPE": ("sendmsg:error=EPIPE:when=2+3", ended("peer_aborted")),
    "epoll_ctl: ENOMEM": ("epoll_ctl:error=ENOMEM:when=2+3", ended("failed")),
    "epoll_ctl: ENOSPC, too many watches": ("epoll_ctl:error=ENOSPC:when=2+3", ended("failed")),
}


def survives(server, faults, counter, all_served):
    before = server.metrics()
    with injected(server, *faults):
        served = tries(server)
        if all_served:
            sleeps(server)
    if counter:
        holds(server.metrics()[counter] > before[counter], f"{counter} counts it")
    equal(served == ROUNDS or not all_served and served > 0, True, f"{served} of {ROUNDS} were served")
    equal(server.process.poll(), None, "it lives")
    equal(tries(server), ROUNDS, "and serves")
    if not all_served:
        sleeps(server)
    eventually(lambda: server.metrics()["bridgehost_connections"] == 1, "no connection is left over")


@group.each("{}: everybody is served all the same", HARMLESS)
def _(server, case):
    survives(server, case[:1], case[1], all_served=True)


@group.each("{}: the connection ends and is counted, others are served", STRIKING)
def _(server, case):
    survives(server, case[:1], case[1], all_served=False)


@group.promise("accept4: EMFILE while epoll_ctl fails too: the listener comes back, everybody is served")
def _(server):
    faults = ["accept4:error=EMFILE:when=1", "epoll_ctl:error=ENOMEM:when=4..6"]
    # The pause changes three listeners, its end the same three: those changes fail once.
    before = server.metrics()["bridgehost_accept_pauses_total"]
    with injected(server, *faults):
        equal(server.curl(PATH).status, 200)
    holds(server.metrics()["bridgehost_accept_pauses_total"] > before, "it paused")
    equal(tries(server), ROUNDS)


@group.promise("accept4: a queue of nothing but connections that have gone is no spin: accepting rests, then goes on")
def _():
    with World(workers=1, listeners=BOTH).start() as server:
        with injected(server, "accept4:error=ECONNABORTED:when=1..200"), Wire(server.plain) as wire:
            equal(wire.get(PATH).status, 200)
        counted = server.metrics()
        equal(counted["bridgehost_accept_aborts_total"], 200)
        holds(counted["bridgehost_accept_pauses_total"] >= 3, "a rest for each batch of 64")


@group.promise("a handshake that the socket does not take at once is one all the same: it ends, and its server name counts")
def _():
    certificates = [shop().certificates, shop().edge]
    with World(workers=1, certificates=certificates, hosts=["pages.example", EDGE[0]]).start() as server:
        with injected(server, "sendto:error=EAGAIN:when=1+2"), server.wire(name=EDGE[0]) as wire:
            equal(wire.get(PATH, "localhost").status, 421)
            equal(wire.get(PATH, EDGE[0]).status, 200)
        with injected(server, "sendto:error=EAGAIN:when=1+2"), server.wire() as wire:
            equal(wire.get(PATH).status, 200)
            equal(server.metrics()["bridgehost_handshakes"], 0)


@group.promise("a goodbye that the socket does not take at once is said all the same")
def _(server):
    with injected(server, "sendto:error=EAGAIN:when=1+2"):
        for _ in range(6):
            with server.wire() as wire:
                equal(wire.get(PATH, "localhost", "Connection: close").status, 200)
                # An end without close_notify would raise here.
                equal(wire.socket.recv(1), b"")


@group.promise("/metrics opens no file: all of it is told while none can be opened")
def _():
    with World().start() as server:
        with injected(server, "openat:error=EMFILE:when=1+1"):
            told = server.metrics()
            holds({"process_open_fds", "process_resident_memory_bytes"} <= set(told), "what the kernel tells of it, too")
            # What needs files is refused meanwhile, which shows that it was so.
            contains(server.reload()[0], "reload refused")


@group.promise("a signal that can't be read at first is acted on all the same; files that can't be opened refuse a reload")
def _():
    with World().start() as server:
        with injected(server, "read:error=EIO:when=1"):
            contains(server.reload()[0], "reloaded: ")
        with injected(server, "openat:error=EMFILE:when=1+1"):
            contains(server.reload()[0], "reload refused")
        equal(server.curl(PATH).status, 200)
        contains(server.reload()[0], "reloaded: ")
