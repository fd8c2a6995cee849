"""What is wrong is said at once, in one line each, with its place; nothing crashes over it."""
import contextlib
import json
import re
import shutil
import socket
import time

from harness.promises import Group, contains, equal, holds
from harness.tools import openssl, run
from harness.process import environment
from harness.world import DESCRIPTOR, PATH, World, shop

group = Group("Broken input")
PROMPT = 2.0
THREE_MISTAKES = """{
  "bridges": {
    "parrot": {
      "settings": { "loud": 1, "wrod": "hello",
        "times": 10 }
    }
  }
}
"""
PROBLEM = r"[^\n]+: (error|warning): [^\n]+\."


def refused(ended, *parts, lines=None):
    """Status 1, promptly; every line is a message for a person."""
    equal(ended.status, 1, ended.text)
    for noise in ("Fatal error", "Backtrace", "Stack dump", "0x", " at /", "fatalError", ".swift"):
        holds(noise not in ended.text, f"no {noise!r} in {ended.text}")
    for line in ended.err.splitlines():
        holds(re.fullmatch(PROBLEM + r".*|bridgehost: [^\n]+", line), line)
    for part in parts:
        contains(ended.err, part)
    if lines is not None:
        equal(len(ended.err.splitlines()), lines, ended.err)


def promptly(function):
    begun = time.monotonic()
    ended = function()
    holds(time.monotonic() - begun < PROMPT, "within 2 s")
    return ended


@group.promise("a tenant's file with three mistakes gives three problems, each with line and column; others serve")
def _():
    world = World()
    world.write("config/tenants/acme.json", THREE_MISTAKES)
    with world.start() as server:
        told = [line for line in server.output.splitlines() if "acme.json" in line]
        equal(len(told), 3, "\n".join(told))
        for start, words in (("4:29: error: $.bridges.parrot.settings.loud", "expected true or false"),
                             ("4:32: error: $.bridges.parrot.settings.wrod", 'Did you mean "word"?'),
                             ("5:18: error: $.bridges.parrot.settings.times", "an integer from 1 to 9")):
            holds(any(f"{start}: found " in line and words in line for line in told), f"{start}, {words} in {told}")
        contains(server.output, "tenant acme is not served")
        equal(server.curl(PATH).status, 200)
        equal(server.curl("/acme/parrot.html").status, 404)
        equal(json.loads(server.ask_admin("/readyz").body)["leftOut"], ["acme"])


@group.promise("--strict refuses to start with the same file")
def _():
    world = World()
    world.write("config/tenants/acme.json", THREE_MISTAKES)
    ended = promptly(lambda: world.command("serve", "--strict"))
    refused(ended, "acme.json:4:29", "acme.json:4:32", "acme.json:5:18", "not started")
    equal(ended.out, "", "nothing was served")


@group.promise("check prints the same problems, counts them, and exits 1")
def _():
    world = World()
    world.write("config/tenants/acme.json", THREE_MISTAKES)
    checked = world.command("check")
    equal(checked.status, 1)
    contains(checked.out, "1 tenants, 3 errors, 0 warnings")


TENANT_MISTAKES = {
    "a trailing comma": ('{"bridges": {},}', "1:16"), "a comment": ('{ // no\n}', "1:3"),
    "a duplicate key": ('{"bridges": {}, "bridges": {}}', "1:17"), "a syntax error in line 3": ('{\n"bridges":\n}', "3:1"),
    "a byte order mark": ('\ufeff{"bridges": {}}', "1:1"), "an unknown bridge": ('{"bridges": {"parot": {}}}', "1:14"),
    "an integer with a point": ('{"bridges": {"parrot": {"settings": {"times": 1.0}}}}', "1:47"),
    "no bridges": ('{\n  "hosts": []}', "1:1"), "an array": ("[]", "1:1"), "100 levels of arrays": ("[" * 100_000, "1:"),
    "a lone surrogate": ('{"bridges": {"parrot": {"settings": {"word": "\\ud800"}}}}', "1:"),
    "a wrong host": ('{"hosts": ["Chat.Acme.Example"], "bridges": {}}', "1:12"),
    "a service host": ('{"hosts": ["pages.example"], "bridges": {}}', "1:12"),
    "a token in the clear": ('{"bridges": {}, "access": {"tokens": ["s3cret-token"]}}', "1:39")}


@group.each("a tenant's file with {} is one line with its place, and no other tenant's business", TENANT_MISTAKES)
def _(case):
    content, place = case
    world = World()
    world.write("config/tenants/acme.json", content)
    checked = promptly(lambda: world.command("check"))
    equal(checked.status, 1)
    told = [line for line in checked.out.splitlines() if ": error: " in line]
    equal(len(told), 1, checked.out)
    contains(told[0], f"tenants/acme.json:{place}")
    contains(checked.out, "1 tenants, 1 errors")
    holds("s3cret" not in checked.text, "a secret is never repeated")


@group.each("a tenant's file that is called {} is refused by name", {name: name for name in (
    "api", "reports", "inspect", "Acme", "a_b", "-a", "a" * 64)})
def _(name):
    world = World()
    world.tenant(name)
    checked = world.command("check")
    equal(checked.status, 1)
    contains(checked.out, f"tenants/{name}.json: error: ")
    contains(checked.out, "1 tenants, 1 errors")


@group.promise("problems of many files are all told at once, in the order of the files")
def _():
    world = World()
    for name in ("one", "two", "six"):
        world.write(f"config/tenants/{name}.json", THREE_MISTAKES)
    checked = world.command("check")
    contains(checked.out, "1 tenants, 9 errors")
    places = re.findall(r"tenants/(\w+)\.json", checked.out)
    equal(places, sorted(places))


@group.promise("a missing page is one clear line")
def _():
    world = World()
    world.remove("public/parrot.html")
    refused(promptly(lambda: world.command("serve")), "public/parrot.html", "No such file", "not started", lines=2)


@group.promise("a broken descriptor is one clear line with its place")
def _():
    world = World()
    world.write("config/bridges/parrot.json", json.dumps({**DESCRIPTOR, "pagee": "x"}))
    refused(promptly(lambda: world.command("serve")), 'the unknown key "pagee"', 'Did you mean "page"?', lines=2)


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


@group.promise("1000 tenants of which one is broken start, and 999 are served")
def _():
    world = World()
    shutil.rmtree(world.config / "tenants")
    (world.config / "tenants").mkdir()
    for number in range(1_000):
        (world.config / "tenants" / f"t{number}.json").write_text('{"bridges": {"mute": {}}}' if number else "{")
    with world.start() as server:
        contains(server.output, "999 tenants")
        contains(server.output, "tenants/t0.json:1:2: error")
        for number in (1, 500, 999):
            equal(server.curl(f"/api/v1/tenants/t{number}/bridges/mute").status, 200)
