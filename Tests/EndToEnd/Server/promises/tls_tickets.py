"""Session tickets: resumed by any worker and by any process that has the key; keys come from files or from memory."""
import os
import ssl

from harness.promises import Group, contains, equal, eventually, holds
from harness.wire import Wire, tls_context
from harness.world import EDGE, PATH, World, shop

group = Group("TLS tickets")
VERSIONS = {"TLS 1.2": ssl.TLSVersion.TLSv1_2, "TLS 1.3": ssl.TLSVersion.TLSv1_3}
EXPECTED = "expected 80 random bytes"


class Visitor:
    """A client that keeps its ticket from one connection to the next, as a phone does."""

    def __init__(self, version, name="localhost"):
        self.name, self.session = name, None
        self.context = tls_context(shop().ca, versions=(version, version))

    def visit(self, server, name=None):
        """Asks for a page and keeps the ticket; whether the session was resumed."""
        host = name or self.name
        with Wire(server.secure, self.context, host, session=self.session) as wire:
            equal(wire.get(PATH, host).status, 200)
            self.session = wire.socket.session
            return wire.socket.session_reused

    def resumes_everywhere(self, server):
        """The kernel spreads connections over the workers: of twelve, each takes some."""
        return all(self.visit(server) for _ in range(12))


def with_keys(**keys):
    """A world with a folder of secrets and files of keys in it, all named in the settings."""
    world = World(secretsDirectory="../secrets", ticketKeys=list(keys))
    (world.folder / "secrets").mkdir()
    for name, content in keys.items():
        put(world, name, content)
    return world


def put(world, name, content, mode=0o600):
    file = world.folder / "secrets" / name
    file.write_bytes(content)
    file.chmod(mode)


def use(world, *names):
    world.write("config/server.json", {**world.settings, "ticketKeys": list(names)})


@group.each("a session resumes with a ticket on whatever worker takes it, {}", VERSIONS)
def _(version):
    with World(workers=3).start() as server:
        visitor = Visitor(version)
        equal(visitor.visit(server), False)
        holds(visitor.resumes_everywhere(server), "resumed")


@group.each("a session outlives a reload, {}", VERSIONS)
def _(version):
    with World().start() as server:
        visitor = Visitor(version)
        visitor.visit(server)
        server.reload()
        holds(visitor.resumes_everywhere(server), "resumed")


@group.promise("a ticket of another process is no harm: the handshake is a full one")
def _():
    with World().start() as server, World().start() as other:
        visitor = Visitor(VERSIONS["TLS 1.3"])
        visitor.visit(other)
        equal(visitor.visit(server), False)


@group.each("two processes that share a key's file resume each other's sessions, {}", VERSIONS)
def _(version):
    key = os.urandom(80)
    with with_keys(one=key).start() as server, with_keys(two=key).start() as other:
        visitor = Visitor(version)
        equal(visitor.visit(server), False)
        holds(visitor.resumes_everywhere(other), "resumed at the other")
        holds(visitor.resumes_everywhere(server), "and back")


@group.each("after a rotation of files old tickets resume and are renewed, and end with their key, {}", VERSIONS)
def _(version):
    world = with_keys(old=os.urandom(80))
    put(world, "new", os.urandom(80))
    with world.start() as server:
        visitor, stranger = Visitor(version), Visitor(version)
        visitor.visit(server)
        stranger.visit(server)
        before = visitor.session.id
        use(world, "new", "old")
        server.reload()
        eventually(lambda: visitor.visit(server) and visitor.session.id != before, "resumed and renewed")
        # Each worker takes the keys at its next event, so the ticket may be of one that had not yet.
        holds(visitor.resumes_everywhere(server), "resumed")
        use(world, "new")
        server.reload()
        eventually(lambda: visitor.resumes_everywhere(server), "the renewed ticket resumes")
        equal(stranger.visit(server), False, "the old one")


@group.promise("a ticket is for its host's certificate alone: at another's it is a full handshake")
def _():
    world = World(certificates=[shop().certificates, shop().edge], hosts=["pages.example", "edge.example"])
    with world.start() as server:
        for name, version in VERSIONS.items():
            visitor = Visitor(version)
            visitor.visit(server)
            equal(visitor.visit(server), True, name)
            equal(visitor.visit(server, "edge.example"), False, name)


@group.promise("a ticket is for its host's name alone on TLS 1.2, for all of its certificate's on 1.3")
def _():
    with World().start() as server:
        for name, version in VERSIONS.items():
            visitor = Visitor(version)
            visitor.visit(server)
            equal(visitor.visit(server, "pages.example"), name == "TLS 1.3", name)
            equal(visitor.visit(server, "pages.example"), True, name)


@group.promise("a renewed certificate is shown to clients with tickets too")
def _():
    pair = shop().certify("certificates", EDGE, keep="renewed")
    world = World(certificates=[pair], hosts=["edge.example"])
    with world.start() as server:
        visitor = Visitor(VERSIONS["TLS 1.3"], "edge.example")
        visitor.visit(server)
        equal(visitor.visit(server), True)
        shop().certify("certificates", EDGE, keep="renewed")
        server.reload()
        eventually(lambda: not visitor.visit(server), "a full handshake")
        equal(visitor.visit(server), True)


@group.each("tickets are promised for 12 hours, {}", VERSIONS)
def _(version):
    with World().start() as server:
        visitor = Visitor(version)
        visitor.visit(server)
        equal((visitor.session.has_ticket, visitor.session.ticket_lifetime_hint), (True, 43_200))


@group.each("a key's file of {} is named, and nothing starts", {
    "79 bytes": b"k" * 79, "48 bytes": b"k" * 48, "no bytes": b"", "81 bytes": b"k" * 81})
def _(content):
    world = with_keys(bad=content)
    for command in ("check", "serve"):
        ended = world.command(command)
        equal(ended.status, 1)
        contains(ended.text, f"secrets/bad: error: found {len(content)} bytes; {EXPECTED}")
        contains(ended.text, "openssl rand -out FILE 80")
        holds("kkkk" not in ended.text, "no byte of it")


@group.promise("a key's file that is not there is named, with the key that names it")
def _():
    world = with_keys(key=b"k" * 80)
    (world.folder / "secrets" / "key").unlink()
    told = world.command("check").text
    contains(told, "secrets/key: error: found a file that can't be read: No such file")
    contains(told, "ticketKeys")


@group.promise("a key's file without a secretsDirectory is an error at its place")
def _():
    told = World(ticketKeys=["key"]).command("check").text
    contains(told, "server.json:")
    contains(told, '$.ticketKeys[0]: found the string "key"; expected a secretsDirectory')


@group.promise("a key's file that every user can read is a warning, and is used")
def _():
    key = os.urandom(80)
    world, other = with_keys(key=key), with_keys(key=key)
    put(world, "key", key, mode=0o644)
    warning = "secrets/key: warning: found a secret that every user of this machine can read"
    contains(world.command("check").text, warning)
    holds(warning not in other.command("check").text, "of 0600 there is none")
    with world.start() as server, other.start() as second:
        visitor = Visitor(VERSIONS["TLS 1.3"])
        visitor.visit(server)
        equal(visitor.visit(second), True)


@group.promise("a reload with a bad key's file is refused, and the old keys stay")
def _():
    world = with_keys(key=os.urandom(80))
    with world.start() as server:
        visitor = Visitor(VERSIONS["TLS 1.3"])
        visitor.visit(server)
        put(world, "key", b"short")
        line, told = server.reload()
        contains(line, "reload refused")
        contains(told, "secrets/key: error: found 5 bytes")
        holds(visitor.resumes_everywhere(server), "resumed")


@group.promise("keys of files take the place of those in memory at a reload, and back")
def _():
    world = with_keys()
    put(world, "key", os.urandom(80))
    with world.start() as server:
        visitor = Visitor(VERSIONS["TLS 1.3"])
        for names in (["key"], []):
            visitor.visit(server)
            use(world, *names)
            server.reload()
            eventually(lambda: not visitor.visit(server), "the ticket ends with its key")
            eventually(lambda: visitor.resumes_everywhere(server), "a new one resumes")
