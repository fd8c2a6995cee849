"""SIGHUP: all files are read again; what is broken stays as it was, for each tenant by itself."""
import json
import shutil
import signal

from harness.promises import Group, contains, equal, eventually, holds
from harness.tools import openssl, s_client
from harness.world import DESCRIPTOR, EDGE, PATH, REST, World, shop

group = Group("Reloading")
ACME = "/acme/parrot.html"


def two():
    world = World()
    world.tenant("acme", word="first")
    return world


def becomes(server, path, status, text=b"", host="localhost"):
    """A reload is in effect from each worker's next event on: asked often enough that each is asked."""
    def check():
        answers = [server.curl(path, host=host) for _ in range(6)]
        return all(answer.status == status and text in answer.body for answer in answers)

    eventually(check, f"{path} becomes {status} {text!r}")


@group.promise("a changed tenant, a new one and a removed one are served so, and others keep their ETag")
def _():
    world = two()
    with world.start() as server:
        untouched = server.curl(PATH).one("ETag")
        changed = server.curl(ACME).one("ETag")
        world.tenant("acme", word="second")
        world.tenant("fresh")
        line, _ = server.reload()
        contains(line, "reloaded: 3 tenants")
        becomes(server, ACME, 200, b'"word":"second"')
        becomes(server, "/fresh/parrot.html", 200)
        holds(server.curl(ACME).one("ETag") != changed, "another ETag")
        equal(server.curl(PATH).one("ETag"), untouched)
        world.remove("config/tenants/acme.json")
        server.reload()
        becomes(server, ACME, 404)
        equal(server.curl(PATH).one("ETag"), untouched)


@group.promise("a kept connection sees the new content without a reconnect")
def _():
    world = two()
    with world.start() as server, server.wire() as wire:
        tag = wire.get(ACME).one("ETag")
        world.tenant("acme", word="second")
        server.reload()
        eventually(lambda: b"second" in wire.get(ACME).body, "the new page")
        equal(wire.get(ACME, "localhost", f"If-None-Match: {tag}").status, 200, "the old tag is stale")


@group.each("a tenant's file with {} keeps the last good version: same page, same ETag, named on /readyz", {
    "a syntax error": '{"bridges": ', "a wrong value": '{"bridges": {"parrot": {"settings": {"times": 10}}}}',
    "an unknown key": '{"bridges": {}, "host": []}', "nothing in it": ""})
def _(content):
    world = two()
    with world.start() as server:
        before = server.curl(ACME)
        world.write("config/tenants/acme.json", content)
        world.tenant("polly", word="changed meanwhile")
        _, told = server.reload()
        contains(told, "tenants/acme.json:1:")
        contains(told, "tenant acme stays as it was")
        becomes(server, PATH, 200, b"changed meanwhile")
        after = server.curl(ACME)
        equal((after.one("ETag"), after.body), (before.one("ETag"), before.body))
        equal(json.loads(server.ask_admin("/readyz").body)["kept"], ["acme"])
        world.tenant("acme", word="mended")
        server.reload()
        becomes(server, ACME, 200, b"mended")
        equal(json.loads(server.ask_admin("/readyz").body)["kept"], [])


@group.promise("the last good version outlives several reloads of a broken file")
def _():
    world = two()
    with world.start() as server:
        tag = server.curl(ACME).one("ETag")
        world.write("config/tenants/acme.json", "{")
        for _ in range(3):
            server.reload()
            equal(server.curl(ACME).one("ETag"), tag)


@group.promise("a tenant that was broken from the start is served once it is mended")
def _():
    world = two()
    world.write("config/tenants/acme.json", "{")
    with world.start() as server:
        equal(server.curl(ACME).status, 404)
        equal(json.loads(server.ask_admin("/readyz").body)["leftOut"], ["acme"])
        world.tenant("acme", word="mended")
        server.reload()
        becomes(server, ACME, 200, b"mended")


def breakages():
    def broken_descriptor(world):
        world.write("config/bridges/parrot.json", {**DESCRIPTOR, "policy": {"script-src": ["*"]}})

    def broken_page(world):
        world.write("public/parrot.html", "<p>no data block</p>")

    return {"descriptor": broken_descriptor, "page": broken_page,
            "missing page": lambda world: world.remove("public/parrot.html"),
            "server.json": lambda world: world.write("config/server.json", '{"listeners": 1}'),
            "server.json that is gone": lambda world: world.remove("config/server.json")}


@group.each("a broken {} refuses the reload: everything is served as before", breakages())
def _(damage):
    world = two()
    with world.start() as server:
        before = server.curl(ACME)
        damage(world)
        world.tenant("acme", word="not yet")
        line, told = server.reload()
        contains(line, "reload refused")
        contains(told, "error: ")
        for _ in range(4):
            equal(server.curl(ACME).one("ETag"), before.one("ETag"))
        equal(server.curl(PATH).status, 200)


@group.promise("a certificate that was replaced on disk is shown to the next client")
def _():
    world = World()
    place = world.folder / "cert"
    place.mkdir()
    pair = {"chain": str(place / "chain.pem"), "key": str(place / "key.pem")}
    for name in pair:
        shutil.copy(shop().certificates[name], pair[name])
    world.write("config/server.json", {**world.settings, "certificates": [pair], "hosts": ["pages.example", EDGE[0]]})
    with world.start() as server, server.wire() as kept:
        def subject():
            text = s_client(server.secure, "-servername", "localhost").out
            return openssl("x509", "-noout", "-subject", stdin=text.encode()).out.strip()

        equal(kept.get(PATH).status, 200)
        equal(subject(), "subject=CN = localhost")
        for name in pair:
            shutil.copy(shop().edge[name], pair[name])
        server.reload()
        eventually(lambda: all(subject() == "subject=CN = edge.example" for _ in range(4)), "the new certificate")
        equal(server.curl(PATH, host="edge.example").status, 200)
        equal(kept.get(REST, "edge.example").status in (200, 421), True, "an old connection gets an answer")


@group.promise("a server.json that names no certificate any more refuses the reload: nobody is shown a self-signed one")
def _():
    world = World()
    with world.start() as server:
        world.write("config/server.json", {k: v for k, v in world.settings.items() if k != "certificates"})
        line, _ = server.reload()
        contains(line, "reload refused")
        contains(server.output, "server.json names no certificate any more")
        # curl trusts the run's authority alone.
        for _ in range(6):
            equal(server.curl(PATH).status, 200)


@group.promise("a server that never had a certificate may be told of a TLS listener: the rest is reloaded, that waits")
def _():
    world = World(listeners=[{"address": "127.0.0.1", "port": 0, "tls": False}], certificates=[])
    with world.start() as server:
        listeners = world.settings["listeners"] + [{"address": "127.0.0.1", "port": 0, "tls": True}]
        world.write("config/server.json", world.settings | {"listeners": listeners})
        line, _ = server.reload()
        contains(line, "reloaded")
        contains(server.output, "listeners can change only by a restart")


@group.promise("a host stays with the tenant that has it when another claims it")
def _():
    world = two()
    world.tenant("owner", hosts=["chat.acme.example"], word="owner's")
    with world.start() as server:
        becomes(server, "/parrot.html", 200, b"owner's", host="chat.acme.example")
        world.tenant("thief", hosts=["chat.acme.example"], word="thief's")
        _, told = server.reload()
        contains(told, "tenants/thief.json:3:5: error")
        becomes(server, "/parrot.html", 200, b"owner's", host="chat.acme.example")


@group.promise("settings that need other sockets are told to need a restart, and the ports stay")
def _():
    world = World()
    with world.start() as server:
        port = server.secure
        world.write("config/server.json", {**world.settings, "workers": 1})
        _, told = server.reload()
        contains(told, "only by a restart")
        equal(server.secure, port)
        equal(server.curl(PATH).status, 200)


@group.promise("20 reloads under load lose no request, and leave no file open")
def _():
    world = two()
    with world.start() as server, server.wire() as wire:
        equal(wire.get(ACME).status, 200)
        before = server.open_files()
        for number in range(20):
            world.tenant("acme", word=f"number {number}")
            mark = server.mark()
            server.signal(signal.SIGHUP)
            for _ in range(10):
                equal(wire.get(ACME).status, 200)
            server.wait_line("^reloaded:", since=mark)
        eventually(lambda: b"number 19" in wire.get(ACME).body, "the last version")
        equal(server.open_files(), before)
