"""Certificates that clients refuse, or soon will: named by `check` and at start; what no client takes is not served."""
import shutil
import tempfile
from pathlib import Path

from harness.authority import RSA, Authority
from harness.promises import Group, contains, equal, holds
from harness.tools import s_client
from harness.wire import Wire, request, tls_context
from harness.world import PATH, World, shop


def authority():
    folder = Path(tempfile.mkdtemp(dir=shop().folder)) / "authority"
    yield Authority(folder)
    shutil.rmtree(folder)


group = Group("Certificates", authority)
GOOD = {"an EC P-256": {}, "an EC P-384": {"key": "EC -pkeyopt ec_paramgen_curve:P-384"}, "an RSA 2048": {"key": RSA},
        "one for 825 days": {"days": 825}}
WARNED = {
    "that has expired": ({"start": -40, "days": 30}, "a certificate that expired 10 days ago: every client refuses it"),
    "that has just expired": ({"start": -9.5, "days": 9}, "a certificate that expired less than a day ago"),
    "that expires tomorrow": ({"days": 2.5}, "a certificate that expires in 1 day;"),
    "that is not valid yet": ({"start": 5}, "a certificate that is not valid yet: every client refuses it"),
    "that expires within 21 days": ({"days": 20.5}, "a certificate that expires in 19 days"),
    "that is valid for more than 825 days": ({"days": 826}, "valid for 826 days in all: iOS refuses it"),
    "without its chain": ({"chain": ()}, "a certificate without its intermediates"),
    "with a chain in the wrong order": (
        {"chain": ("root", "middle")}, "as certificate 2 one that did not issue the one before it"),
    "without names": ({"subjectAltName": None}, "a certificate without subject alternative names"),
    "that is for clients": ({"extendedKeyUsage": "clientAuth"}, "a certificate that is not for servers"),
    "that may issue others": ({"basicConstraints": "critical,CA:TRUE", "keyUsage": "critical,digitalSignature,keyCertSign"},
                              "a certificate that may issue others")}
REFUSED = {
    "with an RSA key of 1024 bits": (
        {"key": "RSA -pkeyopt rsa_keygen_bits:1024"}, "a key that every client refuses as too short"),
    "on a curve of 192 bits": (
        {"key": "EC -pkeyopt ec_paramgen_curve:prime192v1"}, "a key that every client refuses as too short"),
    "signed over SHA-1": ({"digest": "sha1"}, "as certificate 1 one that is signed over SHA-1 or MD5")}


def world(authority, **options):
    return World(certificates=[authority.leaf(f"leaf-{next(shop().numbers)}", **options)])


@group.each("{} of a real authority is served without a word", GOOD)
def _(authority, options):
    one = world(authority, **options)
    told = one.command("check")
    equal((told.status, ".chain.pem" in told.text), (0, False), told.text)
    with one.start() as server, Wire(server.secure, tls_context(authority.root)) as wire:
        equal(wire.get(PATH).status, 200)


@group.each("one {} is served with a warning that says so, in check and at start", WARNED)
def _(authority, case):
    options, words = case
    one = world(authority, **options)
    told = one.command("check")
    equal(told.status, 0, told.text)
    contains(told.text, f".chain.pem: warning: found {words}" if words[0] == "a" else words)
    with one.start() as server:
        contains(server.output, words)
        contains(s_client(server.secure, "-servername", "localhost").out, "subject=CN = bridgehost test leaf")


@group.each("one {} is refused, in check and at start", REFUSED)
def _(authority, case):
    options, words = case
    one = world(authority, **options)
    for command in ("check", "serve"):
        ended = one.command(command)
        equal(ended.status, 1, ended.text)
        contains(ended.text, f".chain.pem: error: found {words}")


@group.each("one with {} is warned of", {"a key on a curve of no phone": "EC -pkeyopt ec_paramgen_curve:secp256k1",
                                     "an Ed25519 key": "ED25519"})
def _(authority, key):
    told = world(authority, key=key).command("check")
    equal(told.status, 0, told.text)
    contains(told.text, ".chain.pem: warning: found a key that iOS or Android does not know")


@group.promise("a chain with an intermediate over SHA-1 is refused, and which one it is said")
def _(authority):
    with tempfile.TemporaryDirectory(dir=shop().folder) as folder:
        old = Authority(Path(folder) / "old", digest="sha1")
        ended = World(certificates=[old.leaf("leaf")]).command("check")
        equal(ended.status, 1)
        contains(ended.text, "error: found as certificate 2 one that is signed over SHA-1 or MD5")


@group.promise("a key of another certificate is refused, and where it was read is said")
def _(authority):
    one, other = authority.leaf("pair-1"), authority.leaf("pair-2")
    ended = World(certificates=[{**one, "key": other["key"]}]).command("check")
    equal(ended.status, 1)
    contains(ended.text, "error: found a certificate of another key")
    contains(ended.text, other["key"])


@group.promise("what is expired is said once more when the service is ready")
def _(authority):
    with world(authority, start=-40, days=30).start() as server:
        line = server.wait_line(r"^warning: every client refuses .*\.chain\.pem")
        holds(server.lines.index(line) > server.lines.index(next(x for x in server.lines if "listening" in x)), "late")


@group.promise("several defects are told at once, each for itself")
def _(authority):
    told = world(authority, days=9.5, chain=(), subjectAltName=None).command("check").text
    for words in ("expires in 8 days", "without its intermediates", "without subject alternative names"):
        contains(told, words)


@group.promise("a reload with a certificate that no client takes is refused, and the old one stays")
def _(authority):
    one = world(authority)
    with one.start() as server:
        bad = authority.leaf("short", key="RSA -pkeyopt rsa_keygen_bits:1024")
        one.write("config/server.json", {**one.settings, "certificates": [bad]})
        line, told = server.reload()
        contains(line, "reload refused")
        contains(told, "a key that every client refuses as too short")
        with Wire(server.secure, tls_context(authority.root)) as wire:
            equal(wire.send(request(PATH)).response().status, 200)
