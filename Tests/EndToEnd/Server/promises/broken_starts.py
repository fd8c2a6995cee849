"""What keeps the service from starting is one clear line and status 1, within 2 s, and no stack trace."""
import contextlib
import socket

from harness.process import environment
from harness.promises import Group, contains, equal
from harness.refusal import promptly, refused
from harness.tools import openssl, run
from harness.world import PATH, World, shop

group = Group("Broken starts")

SERVER_MISTAKES = {
    "an unknown key": ({"listenerz": []}, 'Did you mean "listeners"?'), "no listener": ({"listeners": []}, "listener"),
    "a port of 65536": ({"admin": {"address": "127.0.0.1", "port": 65_536}}, "65535"),
    "a port in quotes": ({"admin": {"address": "127.0.0.1", "port": "80"}}, "$.admin.port"),
    "a name as an address": ({"admin": {"address": "localhost", "port": 0}}, "an IPv4 or IPv6 address"),
    "a URL with a path": ({"publicBaseURL": "https://a.example/x"}, "without a path"),
    "http as public URL": ({"publicBaseURL": "http://a.example"}, "$.publicBaseURL"),
    "a host with capitals": ({"hosts": ["Pages.example"]}, "$.hosts[0]"), "no workers": ({"workers": 0}, "$.workers")}


@group.each("server.json with {} is one clear line", SERVER_MISTAKES)
def _(case):
    change, words = case
    refused(promptly(lambda: World(**change).command("serve")), "server.json:", words, lines=2)


@group.promise("a config folder that is not there is one clear line")
def _():
    ended = run(shop().binary, "serve", "--config", "/nowhere/at/all", env=environment())
    refused(ended, "/nowhere/at/all/server.json", "No such file", "--config", lines=2)


def certificate(**change):
    return World(certificates=[{**shop().certificates, **change}])


@group.promise("a key that is not there, or a folder in its place, is one clear line")
def _():
    for path in ("/nowhere/key.pem", str(shop().folder)):
        refused(promptly(lambda: certificate(key=path).command("serve")), path, "can't be read", lines=2)


@group.promise("a key of another certificate is one clear line that names both files")
def _():
    other = shop().edge["key"]
    refused(promptly(lambda: certificate(key=other).command("serve")), "a certificate of another key",
            shop().certificates["chain"], other, lines=2)


@group.promise("a key that is none, one with a password, and a chain that is none are one clear line each")
def _():
    junk = shop().folder / "junk.pem"
    junk.write_text("not a key\n")
    locked = shop().folder / "locked.pem"
    openssl("ec", "-in", shop().certificates["key"], "-aes128", "-passout", "pass:secret", "-out", locked)
    for change in ({"key": str(junk)}, {"key": str(locked)}, {"chain": str(junk)}):
        refused(promptly(lambda: certificate(**change).command("serve")), next(iter(change.values())), lines=2)


@group.promise("a chain in the wrong order is told, an expired certificate refused or warned of in words")
def _():
    folder = shop().folder / "reversed"
    folder.mkdir(exist_ok=True)
    chain = open(shop().certificates["chain"]).read()
    parts = [part + "-----END CERTIFICATE-----\n" for part in chain.split("-----END CERTIFICATE-----\n")[:2]]
    (folder / "chain.pem").write_text(parts[1] + parts[0])
    refused(certificate(chain=str(folder / "chain.pem")).command("serve"), str(folder / "chain.pem"))


@group.promise("a leaf without its intermediates is warned of: Android does not fetch them")
def _():
    folder = shop().folder / "leaf-only"
    folder.mkdir(exist_ok=True)
    chain = open(shop().certificates["chain"]).read()
    (folder / "chain.pem").write_text(chain.split("-----END")[0] + "-----END CERTIFICATE-----\n")
    checked = certificate(chain=str(folder / "chain.pem")).command("check")
    contains(checked.out, "a certificate without its intermediates")


@contextlib.contextmanager
def taken_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def at(port, **settings):
    return World(listeners=[{"address": "127.0.0.1", "port": port}], **settings)


@group.each("a port in use by another program is one clear line, with {} workers", {"1": 1, "4": 4})
def _(workers):
    with taken_port() as port:
        refused(promptly(lambda: at(port, workers=workers).command("serve")), f"127.0.0.1:{port}", "in use", lines=1)


@group.each("a port in use by another bridgehost is one clear line, with {} workers each", {"1": 1, "2": 2, "4": 4})
def _(workers):
    with World(workers=workers).start() as server:
        ended = promptly(lambda: at(server.secure, workers=workers).command("serve"))
        refused(ended, f"127.0.0.1:{server.secure}", "in use", lines=1)
        for _ in range(8):
            equal(server.curl(PATH).status, 200, "the first one has all its connections still")


@group.promise("an address that is not this machine's is one clear line")
def _():
    world = World(listeners=[{"address": "192.0.2.1", "port": 0}])
    refused(promptly(lambda: world.command("serve")), "192.0.2.1", lines=1)


@group.promise("two listeners at one port are one clear line")
def _():
    with taken_port() as port:
        pass
    world = World(listeners=[{"address": "127.0.0.1", "port": port}, {"address": "127.0.0.1", "port": port, "redirect": True}])
    refused(promptly(lambda: world.command("serve")), f"127.0.0.1:{port}")


@group.promise("a ulimit -n that leaves no connection a descriptor is one clear line")
def _():
    with World().begin(files=40) as server:
        equal(server.wait_end(), 1)
        server.wait_line(r"^bridgehost: the process may open 40 files \(ulimit -n\), and needs \d+ ")
