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
                              "a certificate that may issue others"),
    "whose key may not sign": ({"keyUsage": "critical,keyEncipherment"}, "a certificate whose key may not sign"),
    "with an RSA key that may not sign": (
        {"key": RSA, "keyUsage": "keyEncipherment"}, "a certificate whose key may not sign"),
    "that must be stapled": ({"tlsfeature": "status_request"}, "a certificate that demands an OCSP answer"),
    "with a critical extension that nobody knows": (
        {"1.2.3.4.5": "critical,ASN1:UTF8String:x"}, "a certificate with a critical extension that clients don't know")}
# Intermediates by the extensions and times in which they differ from good ones, and what is said of them.
MIDDLES = {
    "that has expired": ({"start": -40, "days": 30}, "as certificate 2 one that expired 10 days ago: clients refuse"),
    "that is not valid yet": ({"start": 5}, "as certificate 2 one that is not valid yet: clients refuse"),
    "that expires within 21 days": ({"days": 6.5}, "as certificate 2 one that expires in 5 days"),
    "that is no authority": ({"basicConstraints": "critical,CA:FALSE"}, "as certificate 2 one that may not issue"),
    "whose key may not issue": ({"keyUsage": "critical,cRLSign"}, "as certificate 2 one that may not issue the one before it"),
    "for clients alone": ({"extendedKeyUsage": "clientAuth"}, "as certificate 2 one that may not issue for servers"),
    "that allows other names alone": (
        {"nameConstraints": "critical,permitted;DNS:other.example"}, "a certificate for a name that an issuer's"),
    "that excludes a name": ({"nameConstraints": "excluded;DNS:pages.example"}, "a certificate for a name that an issuer's"),
    "with a critical extension that nobody knows": (
        {"1.2.3.4.5": "critical,ASN1:UTF8String:x"}, "as certificate 2 one with a critical extension")}
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


@group.each("an intermediate {} is named, and the chain is served", MIDDLES)
def _(authority, case):
    options, words = case
    name = f"middle-{next(shop().numbers)}"
    one = World(certificates=[authority.under(f"leaf-{name}", authority.middle(name, **options))])
    told = one.command("check")
    equal((told.status, told.text.count(".chain.pem: ")), (0, 1), told.text)
    contains(told.text, f".chain.pem: warning: found {words}")
    with one.start() as server:
        contains(s_client(server.secure, "-servername", "localhost").out, f"bridgehost test leaf-{name}")


@group.promise("an intermediate for any purpose is for servers, too: no word")
def _(authority):
    middle = authority.middle("any", extendedKeyUsage="anyExtendedKeyUsage")
    told = World(certificates=[authority.under("of-any", middle)]).command("check")
    equal((told.status, ".chain.pem" in told.text), (0, False), told.text)


@group.promise("a chain with more intermediates than one allows is named; with as many it is served without a word")
def _(authority):
    for length, words in ((1, ""), (0, "found as certificate 3 one with more issuers before it than its path length allows")):
        first = authority.middle(f"long-{length}", basicConstraints=f"critical,CA:TRUE,pathlen:{length}")
        second = authority.middle(f"longer-{length}", issuer=first)
        told = World(certificates=[authority.under(f"far-{length}", second, first)]).command("check")
        contains(told.text, words)
        equal((told.status, ".chain.pem" in told.text), (0, length == 0), told.text)


@group.promise("an intermediate of the right name and another key is told from the one that signed")
def _(authority):
    authority.middle("real", subjectKeyIdentifier="none")
    authority.middle("false", subjectKeyIdentifier="none", subject="real")
    pair = authority.leaf("signed", issuer="real", chain=("false",), authorityKeyIdentifier="none")
    told = World(certificates=[pair]).command("check")
    contains(told.text, "warning: found as certificate 2 one that did not issue the one before it")
    good = World(certificates=[authority.leaf("signed-too", issuer="real", chain=("real",), authorityKeyIdentifier="none")])
    holds(".chain.pem" not in good.command("check").text, "the right one")


@group.promise("a wildcard before one label stands for no host: it is named, and so is the host that it leaves uncovered")
def _(authority):
    names = "DNS:localhost,DNS:*.example,DNS:*,DNS:a*.mid.example,DNS:x.*.example,DNS:*.good.example"
    pair = authority.leaf("wild", subjectAltName=names)
    hosts = ["pages.example", "x.good.example", "ab.mid.example"]
    one = World(certificates=[pair], hosts=hosts, unknownServerName="refuse", publicBaseURL=None)
    told = one.command("check")
    equal(told.status, 0, told.text)
    for name in ("*.example", "*", "a*.mid.example", "x.*.example"):
        contains(told.text, f'wild.chain.pem: warning: found the name "{name}", which stands for no host')
    for host in ("pages.example", "ab.mid.example"):
        contains(told.text, f'warning: found the host "{host}", which no certificate covers')
    holds("good.example" not in told.text, "the good wildcard")
    with one.start() as server:
        contains(s_client(server.secure, "-servername", "pages.example").text, "unrecognized name")
        contains(s_client(server.secure, "-servername", "x.good.example").out, "subject=CN = bridgehost test wild")


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


@group.each("a key that every user can read is {}, and is used", {"named": (0o644, True), "named if they can write it too": (0o666, True),
                                                             "of its owner and group no word": (0o640, False)})
def _(authority, case):
    mode, is_told = case
    pair = authority.leaf(f"open-{next(shop().numbers)}")
    Path(pair["key"]).chmod(mode)
    one = World(certificates=[pair])
    told = one.command("check")
    equal(told.status, 0, told.text)
    warning = f"{pair['key']}: warning: found a secret that every user of this machine can read"
    equal(warning in told.text, is_told, told.text)
    with one.start() as server, Wire(server.secure, tls_context(authority.root)) as wire:
        equal((warning in server.output, wire.get(PATH).status), (is_told, 200))


@group.promise("what is expired is said once more when the service is ready")
def _(authority):
    with world(authority, start=-40, days=30).start() as server:
        line = server.wait_line(r"^warning: clients refuse .*\.chain\.pem")
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
