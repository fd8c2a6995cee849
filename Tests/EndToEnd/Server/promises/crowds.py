"""Crowds: thousands of connections that do nothing, or a flood of new ones. Others are served, memory stays bounded."""
import contextlib
import socket
import threading

from harness.promises import Group, equal, eventually, holds
from harness.strangers import need_files, page_is_prompt
from harness.wire import Wire, tls_context
from harness.world import REST, World

KIB = 1_024


def both():
    need_files(12_000)
    world = World(listeners=[{"address": "127.0.0.1", "port": 0, "tls": True},
                             {"address": "127.0.0.1", "port": 0, "tls": False}])
    with world.start() as server:
        page_is_prompt(server)
        yield server


group = Group("Crowds", both)


def growth(server, count, connect):
    """Bytes of memory a connection, over so many that were used once and stay; a page meanwhile."""
    before = server.resident()
    with contextlib.ExitStack() as stack:
        wires = [stack.enter_context(connect(number)) for number in range(count)]
        for wire in wires:
            equal(wire.get(REST).status, 200)
        equal(server.metrics()["bridgehost_connections"], count + 1)
        each = (server.resident() - before) / count
        page_is_prompt(server)
        for wire in wires[::97]:
            equal(wire.get(REST).status, 200)
    return each


def loopback(number):
    """One of a few addresses, so that the limit of one is not met."""
    return f"127.0.0.{2 + number % 5}"


@group.promise("10000 idle connections are kept and work, at no more than 4 KiB of memory each")
def _(server):
    each = growth(server, 10_000, lambda number: Wire(server.plain, source=loopback(number)))
    holds(each <= 4 * KIB, f"{each:.0f} bytes each")


@group.promise("500 idle TLS connections take no more than 24 KiB of memory each")
def _(server):
    context = tls_context(server.ca)
    each = growth(server, 500, lambda _: Wire(server.secure, context))
    holds(each <= 24 * KIB, f"{each:.0f} bytes each")


@group.promise("a flood of connections from one address, faster than any is served, keeps nobody out")
def _(server):
    ended = threading.Event()

    def flood():
        while not ended.is_set():
            with contextlib.ExitStack() as stack:
                for _ in range(200):
                    one = stack.enter_context(socket.socket())
                    one.setblocking(False)
                    one.bind(("127.0.0.9", 0))
                    with contextlib.suppress(OSError):
                        one.connect(("127.0.0.1", server.secure))

    threads = [threading.Thread(target=flood, daemon=True) for _ in range(2)]
    accepted = server.metrics()["bridgehost_connections_accepted_total"]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            page_is_prompt(server, times=1)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    holds(server.metrics()["bridgehost_connections_accepted_total"] - accepted > 2_000, "it was a flood")
