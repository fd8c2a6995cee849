"""Three replicas behind one HAProxy, which ends TLS for some clients and passes it through for others."""
import contextlib
import os
import re
import signal
import time

from balancer import Balancer
from crowd import Crowd

from harness.promises import Group, equal, eventually, holds
from harness.tools import openssl
from harness.wire import Wire, tls_context
from harness.world import CHECKOUT, PATH, World, shop

README = (CHECKOUT / "README.md").read_text()
# What stands for a place in the README, and what it is here. Checks are due more often, and patient on a busy machine.
PLACES = {
    "inter 1s": "inter 100ms", "timeout check 2s": "timeout check 5s", "check port 8081": "check",
    "bind :443\n": "bind {passed}\n", "bind :443 ssl": "bind {ended} ssl", "bind :80\n": "bind {clear}\n",
    "/etc/haproxy/chat.pem": "{pem}"}
NAMES = ("one", "two", "three")
LISTENERS = [{"address": "127.0.0.1", "port": 0, "proxyProtocol": True},
             {"address": "127.0.0.1", "port": 0, "tls": False},
             {"address": "127.0.0.1", "port": 0}]


def config(replicas):
    """The README's, with the places of these replicas."""
    text = "".join(re.findall(r"^```haproxy\n(.*?)^```", README, re.M | re.S))
    for place, here in PLACES.items():
        equal(text.count(place), 1, f"{place!r} in the README")
        text = text.replace(place, here)
    for number, replica in enumerate(replicas, 11):
        passed, plain, _ = replica.ports()
        for port, own in ((8443, passed), (8080, plain)):
            line = rf"(server {replica.name}) 10\.0\.0\.{number}:{port}\b"
            text, count = re.subn(line, rf"\1 127.0.0.1:{own} port {replica.server.admin}", text)
            equal(count, 1, f"{line} in the README")
    return text


class Replica:
    """A world, and the process that serves it now; the system chooses other ports for each."""

    def __init__(self, name, key):
        self.name = name
        self.world = World(
            listeners=LISTENERS, trustedProxies=["127.0.0.1"], secretsDirectory="../secrets", ticketKeys=["key"],
            timeouts={"drainDelaySeconds": 2})
        (self.world.folder / "secrets").mkdir()
        file = self.world.folder / "secrets/key"
        file.write_bytes(key)
        file.chmod(0o600)
        self.server = self.world.start()

    def ports(self):
        """Of TLS behind a PROXY header, in the clear, and of TLS that anybody may ask for."""
        passed, direct = self.server._ports(r"listening https://.*:(\d+)")
        return passed, self.server.plain, direct

    def start_anew(self, balancer):
        self.server.kill()
        self.server = self.world.start()
        passed, plain, _ = self.ports()
        balancer.move("passed", self.name, passed, self.server.admin)
        balancer.move("replicas", self.name, plain, self.server.admin)
        self.wait(balancer, "UP")

    def wait(self, balancer, state):
        for backend in ("passed", "replicas"):
            eventually(lambda: balancer.state(backend, self.name).startswith(state), f"{self.name} is {state}", within=20)


class Fleet:
    def __init__(self):
        key = os.urandom(80)
        self.replicas = [Replica(name, key) for name in NAMES]
        pem = shop().folder / "fleet.pem"
        pem.write_text("".join(open(shop().certificates[part]).read() for part in ("chain", "key")))
        self.balancer = Balancer(config(self.replicas), ["passed", "ended", "clear"], pem=pem)

    def wait_up(self):
        for one in self.replicas:
            one.wait(self.balancer, "UP")

    def crowd(self):
        ports = {name: self.balancer.port(name) for name in ("passed", "ended")}
        return Crowd(shop().ca, ports)

    def close(self):
        self.balancer.kill()
        for one in self.replicas:
            one.server.kill()


def started():
    fleet = Fleet()
    with contextlib.closing(fleet):
        fleet.wait_up()
        yield fleet


group = Group("Three replicas", started)


def runs(crowd, count=30):
    """Each kind of client has been answered so often since."""
    since = len(crowd.requests)
    eventually(lambda: len(crowd.kinds(since)) == 4 and min(crowd.kinds(since).values()) >= count,
               f"{count} answers for each kind of client: {crowd.kinds(since)}, {crowd.failed()[:3]}", within=60)


@group.promise("rolling restarts under load fail no request, of fresh and kept connections, whoever ends TLS")
def _(fleet):
    with fleet.crowd() as crowd:
        runs(crowd)
        for _ in range(50 if shop().long else 2):
            for replica in fleet.replicas:
                replica.server.signal(signal.SIGTERM)
                equal(replica.server.wait_end(), 0, "it drained")
                replica.start_anew(fleet.balancer)
        runs(crowd)
    equal(crowd.failed(), [])
    again = sum(one.outcome == "asked again" for one in crowd.requests)
    holds(again * 20 < len(crowd.requests), f"{again} of {len(crowd.requests)} met a connection that was just closed")


@group.promise("an update of every replica under load fails no request")
def _(fleet):
    with fleet.crowd() as crowd:
        runs(crowd)
        for number in range(5):
            for replica in fleet.replicas:
                replica.world.tenant("acme", word=f"number {number}")
                holds(replica.server.reload()[0].startswith("reloaded: "), "reloaded")
        runs(crowd)
    equal(crowd.failed(), [])


@group.promise("a replica that is killed costs only what was asked of it before; then nobody notices")
def _(fleet):
    for replica in fleet.replicas:
        with fleet.crowd() as crowd:
            runs(crowd, 10)
            replica.server.kill()
            gone = time.monotonic()
            runs(crowd)
            replica.start_anew(fleet.balancer)
            runs(crowd, 10)
        late = [one for one in crowd.failed() if one.begun > gone]
        equal(late, [])
        holds(len(crowd.failed()) <= len(crowd.threads), f"at most one of each client: {crowd.failed()}")


def visit(fleet, number, version, *options):
    """openssl's client at one replica; whether its session was resumed."""
    port = fleet.replicas[number].ports()[2]
    asked = f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    ended = openssl("s_client", "-connect", f"127.0.0.1:{port}", "-servername", "localhost", "-CAfile", shop().ca,
                    "-verify_return_error", f"-{version}", "-ign_eof", *options, stdin=asked)
    holds("HTTP/1.1 200 OK" in ended.out, ended.text[-600:])
    return re.search(r"^(New|Reused), TLS", ended.out, re.M)[1] == "Reused"


@group.each("a session that began at one replica resumes at the others, {}", {"TLS 1.2": "tls1_2", "TLS 1.3": "tls1_3"})
def _(fleet, version):
    file = shop().folder / f"session-{version}"
    equal(visit(fleet, 0, version, "-sess_out", file), False)
    for number in (1, 2, 0):
        equal(visit(fleet, number, version, "-sess_in", file), True, NAMES[number])


@group.promise("a client that passes through HAProxy resumes wherever its next connection leads")
def _(fleet):
    context, session = tls_context(shop().ca), None
    for number in range(9):
        with Wire(fleet.balancer.port("passed"), context, session=session) as wire:
            equal(wire.get(PATH).status, 200)
            equal(wire.socket.session_reused, number > 0, f"connection {number}")
            session = wire.socket.session
