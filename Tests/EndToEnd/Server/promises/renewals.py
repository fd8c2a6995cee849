"""Renewed certificates, one by one: read again by SIGHUP, each kept as it was while its files can't be used."""
import hashlib
import re
import shutil
import ssl
from pathlib import Path

from harness.authority import Authority
from harness.load import Load
from harness.promises import Group, contains, equal, eventually, holds
from harness.tools import openssl, s_client
from harness.wire import Wire, tls_context
from harness.world import BOTH, EDGE, HOSTS, PATH, shop, World

group = Group("Renewals")
RENEWALS = 100
PAIRS = 4


class Place:
    """Where a certificate's files lie, as a client of an authority leaves them there."""

    def __init__(self, world, name):
        self.folder = world.folder / name
        self.folder.mkdir()
        self.pair = {part: str(self.folder / f"{part}.pem") for part in ("chain", "key")}

    def put(self, pair, *parts):
        for part in parts or self.pair:
            draft = self.folder / "draft"
            shutil.copy(pair[part], draft)
            draft.replace(self.pair[part])


def fingerprint(pair):
    leaf = Path(pair["chain"]).read_text().partition("-----END")[0] + "-----END CERTIFICATE-----\n"
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(leaf)).hexdigest()


def shown(server, name="localhost"):
    with server.wire(name=name) as wire:
        return hashlib.sha256(wire.socket.getpeercert(True)).hexdigest()


def shown_by(server, authority):
    with Wire(server.secure, tls_context(authority.root)) as wire:
        return hashlib.sha256(wire.socket.getpeercert(True)).hexdigest()


def shows(server, pair, name="localhost"):
    """A reload is in effect from each worker's next event on: asked often enough that each is asked."""
    expected = fingerprint(pair)
    eventually(lambda: all(shown(server, name) == expected for _ in range(4)), "the renewed certificate")


def two():
    """A world with two certificates, each in a place of its own."""
    world = World(hosts=["pages.example", *EDGE[:1]])
    main, edge = Place(world, "main"), Place(world, "edge")
    main.put(shop().certificates)
    edge.put(shop().edge)
    world.settings["certificates"] = [main.pair, edge.pair]
    world.write("config/server.json", world.settings)
    return world, main, edge


def successor(hosts):
    return shop().certify("certificates", hosts, keep=f"renewal-{next(shop().numbers)}")


@group.promise(f"{RENEWALS} renewals under load, one of them of a wrong pair: no request and no handshake fails, each new one is shown")
def _():
    pairs = [successor(HOSTS) for _ in range(PAIRS)]
    world = World(listeners=BOTH)
    place = Place(world, "tls")
    place.put(pairs[-1])
    world.write("config/server.json", {**world.settings, "certificates": [place.pair]})
    with world.start() as server, server.wire() as old:
        with Load(server) as load:
            for number in range(RENEWALS):
                pair = pairs[number % PAIRS]
                if number == RENEWALS // 2:
                    place.put(pair, "chain")
                    contains(server.reload()[1], f"certificate {place.pair['chain']} stays as it was")
                    shows(server, pairs[(number - 1) % PAIRS])
                place.put(pair)
                contains(server.reload()[1], f"certificate {place.pair['chain']} is renewed")
                eventually(lambda: shown(server) == fingerprint(pair), "the renewed certificate")
                equal(old.get(PATH).status, 200, "a connection of before")
            shows(server, pair)
            goal = len(load.requests) + 20
            eventually(lambda: len(load.requests) > goal, "20 more requests", within=30)
        equal(set(load.outcomes()), {"whole"}, str(load.outcomes()))
        for reason in ("failed", "rejected", "handshake_failed", "handshake_timeout", "tls_failed"):
            equal(server.closes(reason), 0, reason)


@group.promise("a pair that does not match keeps that certificate, named, while the other one is renewed; then it is mended")
def _():
    world, main, edge = two()
    with world.start() as server:
        renewed, other = successor(HOSTS), successor(EDGE)
        edge.put(other)
        main.put(renewed, "key")
        line, told = server.reload()
        contains(line, "reloaded: ")
        contains(told, f"{main.pair['chain']}: error: found a certificate of another key")
        contains(told, f"bridgehost: certificate {main.pair['chain']} stays as it was; its problems are above")
        contains(told, f"certificate {edge.pair['chain']} is renewed")
        shows(server, other, "edge.example")
        shows(server, shop().certificates)
        equal(server.curl(PATH).status, 200)
        equal(server.metrics()["bridgehost_certificates_kept"], 1)
        main.put(renewed)
        told = server.reload()[1]
        contains(told, f"certificate {main.pair['chain']} is renewed")
        holds("stays as it was" not in told and edge.pair["chain"] not in told, "the other one is not named again")
        shows(server, renewed)
        equal(server.metrics()["bridgehost_certificates_kept"], 0)


def cut(file, keep):
    path = Path(file)
    path.write_bytes(keep(path.read_bytes()))


def after_first(pem):
    return pem[:pem.index(b"-----END CERTIFICATE-----") + len(b"-----END CERTIFICATE-----\n")]


@group.each("a {} keeps the certificate through several reloads, and all is served", {
    "chain cut in its first certificate": ("chain", lambda pem: pem[:200]),
    "chain cut in its second certificate": ("chain", lambda pem: pem[:-200]),
    "chain cut in the line that begins its second certificate": ("chain", lambda pem: after_first(pem) + b"-----BEGIN CERT"),
    "chain that ends after its first certificate": ("chain", after_first),
    "key cut in the middle": ("key", lambda pem: pem[:len(pem) // 2]),
    "key without its last line": ("key", lambda pem: pem[:pem.index(b"-----END")]),
    "key with nothing in it": ("key", lambda _: b""),
    "chain with nothing in it": ("chain", lambda _: b"")})
def _(case):
    part, keep = case
    world, main, _ = two()
    with world.start() as server:
        main.put(successor(HOSTS))
        cut(main.pair[part], keep)
        for _ in range(3):
            contains(server.reload()[1], f"certificate {main.pair['chain']} stays as it was")
        shows(server, shop().certificates)
        equal(server.curl(PATH).status, 200)


WORSE = {
    "has expired": ({"start": -40, "days": 30}, "as certificate 2 one that expired 10 days ago"),
    "is not valid yet": ({"start": 5}, "as certificate 2 one that is not valid yet"),
    "is no authority": ({"basicConstraints": "critical,CA:FALSE"}, "as certificate 2 one that may not issue"),
    "is another of its name": ({"subjectKeyIdentifier": "none"}, "as certificate 2 one that did not issue")}
# What is said where one is kept, if that is not what a start says.
KEPT = {"as certificate 2 one that did not issue": "a chain without the issuer of its leaf"}


@group.each("a chain whose intermediate {} keeps the certificate, named; a start has nothing better", WORSE)
def _(case):
    options, words = case
    world, main, _ = two()
    authority = Authority(world.folder / "authority")
    good = authority.leaf("good", subjectAltName="DNS:localhost")
    bad = authority.under("bad", authority.middle("worse", **options), subjectAltName="DNS:localhost", authorityKeyIdentifier="none")
    if "did not issue" in words:
        authority.middle("false", **options, subject="worse")
        bad = authority.leaf("bad", issuer="worse", chain=("false",), authorityKeyIdentifier="none")
    main.put(good)
    with world.start() as server:
        main.put(bad)
        told = server.reload()[1]
        contains(told, f"{main.pair['chain']}: error: found {KEPT.get(words, words)}")
        holds("shown all the same" not in told, told)
        contains(told, f"certificate {main.pair['chain']} stays as it was")
        equal(shown_by(server, authority), fingerprint(good))
        main.put(authority.leaf("better", subjectAltName="DNS:localhost"))
        contains(server.reload()[1], f"certificate {main.pair['chain']} is renewed")
    main.put(bad)
    contains(world.command("check").text, f"warning: found {words}")


@group.each("a chain of {} is renewed by one that is no better", {
    "the leaf and its root, without what is between": ("root",), "the leaf and an intermediate of before": ("past",)})
def _(behind):
    world, main, _ = two()
    authority = Authority(world.folder / "authority")
    authority.middle("past")
    main.put(authority.leaf("first", chain=behind, subjectAltName="DNS:localhost"))
    with world.start() as server:
        main.put(authority.leaf("second", chain=behind, subjectAltName="DNS:localhost"))
        told = server.reload()[1]
        contains(told, f"{main.pair['chain']}: warning: found as certificate 2 one that did not issue the one before it")
        contains(told, f"certificate {main.pair['chain']} is renewed")
        eventually(lambda: "test second" in s_client(server.secure, "-servername", "localhost").out, "the renewed certificate")


@group.promise("an expired certificate behind the chain is named alone: clients verify, and leaf and issuer are what is kept and watched")
def _():
    world, main, _ = two()
    authority = Authority(world.folder / "authority")
    authority.middle("past", start=-40, days=30)
    names = {"subjectAltName": "DNS:localhost"}
    main.put(authority.leaf("good", **names))
    with world.start() as server:
        tailed = authority.leaf("tailed", chain=("middle", "past"), **names)
        main.put(tailed)
        told = server.reload()[1]
        contains(told, f"{main.pair['chain']}: warning: found as certificate 3 one that expired 10 days ago")
        contains(told, f"certificate {main.pair['chain']} is renewed")
        eventually(lambda: shown_by(server, authority) == fingerprint(tailed), "the renewed certificate")
        for worse in (authority.leaf("lone", chain=(), **names), authority.leaf("ended", start=-40, days=30, **names)):
            main.put(worse)
            contains(server.reload()[1], f"certificate {main.pair['chain']} stays as it was")
    main.put(tailed)
    with world.start() as server:
        holds("clients refuse" not in server.output, server.output)
        gauge = next(value for name, value in server.metrics().items() if "not_after" in name and main.pair["chain"] in name)
        ends = openssl("x509", "-in", main.pair["chain"], "-noout", "-enddate").out.strip().partition("=")[2]
        equal(gauge, ssl.cert_time_to_seconds(ends))


@group.promise("files that are gone keep the certificate; a pair that was never good refuses the reload")
def _():
    world, main, edge = two()
    with world.start() as server:
        Path(edge.pair["key"]).unlink()
        contains(server.reload()[1], f"certificate {edge.pair['chain']} stays as it was")
        shows(server, shop().edge, "edge.example")
        world.write("config/server.json", {**world.settings, "certificates": [{**main.pair, "key": edge.pair["chain"]}]})
        contains(server.reload()[0], "reload refused")
        shows(server, shop().edge, "edge.example")


@group.promise("a broken pair still refuses the start")
def _():
    world, main, _ = two()
    main.put(shop().edge, "key")
    ended = world.command("serve")
    equal(ended.status, 1)
    contains(ended.text, "not started: 1 problem above")


@group.promise("monitors are told until when each certificate holds, by file and first name, as openssl reads it")
def _():
    world, main, edge = two()
    with world.start() as server:
        def told():
            return {name: value for name, value in server.metrics().items() if "certificate_not_after" in name}

        def expected(place, name, file=None):
            text = openssl("x509", "-in", file or place.pair["chain"], "-noout", "-enddate").out.strip().partition("=")[2]
            return (f'bridgehost_certificate_not_after_seconds{{file="{place.pair["chain"]}",name="{name}"}}',
                    ssl.cert_time_to_seconds(text))

        equal(told(), dict([expected(main, "localhost"), expected(edge, "edge.example")]))
        authority = Authority(world.folder / "authority")
        edge.put(authority.leaf("soon", days=20.5, subjectAltName="DNS:edge.example"))
        output = server.reload()[1]
        holds(re.search(r"edge/chain\.pem: warning: found a certificate that expires in 19 days", output), output)
        eventually(lambda: told() == dict([expected(main, "localhost"), expected(edge, "edge.example")]), "the new time")
        with Wire(server.secure, tls_context(authority.root), "edge.example") as wire:
            equal(wire.get(PATH, "edge.example").status, 200)
        # What an intermediate ends before it counts no more.
        edge.put(authority.under("long", authority.middle("short", days=30.5), subjectAltName="DNS:edge.example"))
        server.reload()
        ends = dict([expected(main, "localhost"), expected(edge, "edge.example", authority.folder / "short.pem")])
        eventually(lambda: told() == ends, "the time of its chain")
