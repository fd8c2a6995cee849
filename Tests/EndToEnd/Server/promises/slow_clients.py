"""Clients that send or read as little as keeps them connected: each is ended for its own reason, others are served."""
import contextlib
import re
import signal
import subprocess

from harness.promises import Group, equal, eventually, holds
from harness.strangers import need_files, page_is_prompt
from harness.wire import Wire, request
from harness.world import BULK, PATH, World

PLAIN = {"address": "127.0.0.1", "port": 0, "tls": False}
TLS = {"address": "127.0.0.1", "port": 0, "tls": True}
KIB = 1_024


def impatient():
    """Deadlines of 2 s, so that a crowd comes to its end within the run."""
    deadlines = ("handshakeSeconds", "headSeconds", "bodySeconds", "writeSeconds", "idleSeconds")
    world = World(listeners=[TLS, PLAIN], timeouts={name: 2 for name in deadlines})
    world.add_bulk()
    with world.start() as server:
        yield server


group = Group("Slow clients", impatient)

# Mode, its flags, what is asked for, and the reason that its connections end for.
MODES = {
    "slow heads (slowloris)": (["-H"], PATH, "head_timeout"),
    "slow bodies": (["-B", "-s", "8192"], PATH, "body_timeout"),
    "slow reads": (["-X", "-k", "10", "-w", "512", "-y", "1024", "-n", "1", "-z", "32"], BULK, "write_timeout"),
    "requests for 2000 overlapping ranges": (["-R", "-t", "GET", "-a", "1", "-b", "2000"], PATH, "ended"),
}
CROWD = 200


@contextlib.contextmanager
def slowhttptest(url, flags):
    """The tool at work, each connection sending or reading a little every second; its verdict at the end."""
    command = ["slowhttptest", *flags, "-c", str(CROWD), "-r", str(CROWD), "-i", "1", "-l", "30", "-p", "2", "-u", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as tool:
        try:
            yield
        finally:
            tool.send_signal(signal.SIGINT)
            told, _ = tool.communicate(timeout=15)
        told = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", told)
        verdicts = re.findall(r"service available:\s+(\w+)", told)
        holds(verdicts and set(verdicts) == {"YES"}, told[-600:])


@group.each(f"slowhttptest with {CROWD} {{}}: each is ended for its own reason, others are served meanwhile", MODES)
def _(server, case):
    flags, path, reason = case
    before = server.closes(reason)

    def are_ended():
        page_is_prompt(server, times=2)
        return server.closes(reason) - before >= CROWD * 0.9

    with slowhttptest(f"https://localhost:{server.secure}{path}", flags):
        eventually(are_ended, f"the crowd is ended: {reason}", within=25)


@group.promise("3000 handshakes that never begin keep nobody out, and the oldest make room")
def _(server):
    before = server.closes("too_many_handshakes")
    need_files(4_000)
    with contextlib.ExitStack() as stack:
        for _ in range(3_000):
            stack.enter_context(Wire(server.secure))
        page_is_prompt(server)
        holds(server.closes("too_many_handshakes") > before, "some made room")
    eventually(lambda: server.metrics()["bridgehost_handshakes"] == 0, "all are gone")


@group.promise("200 clients that ask for 3 MB each and read nothing take no more than 512 KiB of memory each")
def _():
    world = World(listeners=[TLS, PLAIN])
    world.add_bulk()
    with world.start() as server, contextlib.ExitStack() as stack:
        page_is_prompt(server)
        before = server.resident()
        for _ in range(200):
            stack.enter_context(Wire(server.plain, receive_buffer=2_048)).send(request(BULK) * 10)
        page_is_prompt(server)
        each = (server.resident() - before) / 200
        holds(each <= 512 * KIB, f"{each:.0f} bytes each")
