"""Nothing is left of a connection: descriptors and memory are back where they were."""
import pathlib
import subprocess
import sys

from harness import mixed
from harness.promises import Group, equal, eventually, holds
from harness.strangers import page_is_prompt
from harness.world import World, shop

MIB = 1_024 * 1_024
# A warm-up reaches the memory that many connections at once and all kinds of answers need.
WARM_UP = 4_000
QUICK, LONG = 20_000, 200_000
CLIENTS = 3


def warm():
    world = World(listeners=[{"address": "127.0.0.1", "port": 0, "tls": True},
                             {"address": "127.0.0.1", "port": 0, "tls": False}])
    world.add_bulk()
    with world.start() as server:
        connect(server, WARM_UP, seed=0)
        yield server


group = Group("Leaks", warm)


def connect(server, count, seed):
    """That many connections, good, broken and aborted, by several clients at once."""
    arguments = [server.plain, server.secure, server.ca, count // CLIENTS]
    clients = [subprocess.Popen([sys.executable, "-B", mixed.__file__, *map(str, arguments), str(seed + number)])
               for number in range(CLIENTS)]
    try:
        for client in clients:
            equal(client.wait(count / 20), 0, "a client")
    finally:
        for client in clients:
            client.kill()
            client.wait()


@group.promise(f"{QUICK} connections, good, broken and aborted (--long: {LONG}), leave no descriptor and no more than 4 MiB")
def _(server):
    count = LONG if shop().long else QUICK
    eventually(lambda: server.open_files() == server.idle_files, "quiet")
    resident, accepted = server.resident(), server.metrics()["bridgehost_connections_accepted_total"]
    connect(server, count, seed=1_000)
    eventually(lambda: server.open_files() == server.idle_files, "every descriptor is closed")
    grown = server.resident() - resident
    holds(grown <= 4 * MIB, f"{grown / MIB:.1f} MiB more")
    counted = server.metrics()
    holds(counted["bridgehost_connections_accepted_total"] - accepted >= count * 0.95, "they were connections")
    equal(counted["bridgehost_handshakes"], 0)
    equal(counted["bridgehost_connections"], 1, "but for the one that asks")
    page_is_prompt(server)


@group.promise("60 reloads leave no descriptor and no more than 4 MiB")
def _():
    world = World()
    with world.start() as server:
        def reload(times):
            for number in range(times):
                world.tenant("acme", word=f"number {number}")
                server.reload()
                page_is_prompt(server, times=1)

        reload(20)
        resident = server.resident()
        reload(60)
        eventually(lambda: server.open_files() == server.idle_files, "every descriptor is closed")
        grown = server.resident() - resident
        holds(grown <= 4 * MIB, f"{grown / MIB:.1f} MiB more")
