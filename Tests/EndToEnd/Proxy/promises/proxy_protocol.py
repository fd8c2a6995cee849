"""HAProxy passes TCP through and announces the client; TLS ends here."""
import contextlib

from balancer import Balancer
from callers import ask, counts_by_client, fresh, is_known, make_world, newcomer

from harness.promises import Group, contains, equal, eventually, holds
from harness.wire import Wire, client_hello, tls_context
from harness.world import PATH, REST

CONFIG = """
    mode tcp
    default-server inter 100ms fall 1 rise 1
frontend one
    bind {one}
    default_backend one
frontend two
    bind {two}
    default_backend two
frontend ssl
    bind {ssl}
    default_backend ssl
frontend all
    bind {all}
    default_backend all
frontend clear
    bind {clear}
    default_backend clear
backend one
    server replica 127.0.0.1:{secure} send-proxy check check-send-proxy
backend two
    server replica 127.0.0.1:{secure} send-proxy-v2 check check-send-proxy check-ssl verify none
backend ssl
    server replica 127.0.0.1:{secure} send-proxy-v2-ssl-cn
backend all
    server replica 127.0.0.1:{secure} send-proxy-v2 proxy-v2-options crc32c,ssl,authority,unique-id,cert-cn
backend clear
    server replica 127.0.0.1:{plain} send-proxy-v2 proxy-v2-options crc32c
"""
FRONTENDS = {"send-proxy": "one", "send-proxy-v2": "two", "send-proxy-v2-ssl": "ssl", "all options and a checksum": "all"}
LISTENERS = [{"address": "127.0.0.1", "port": 0, "proxyProtocol": True},
             {"address": "127.0.0.1", "port": 0, "tls": False, "proxyProtocol": True}]
MOST = 3


def announced():
    with make_world(LISTENERS, limits={"connectionsPerAddress": MOST}).start() as server:
        with Balancer(CONFIG, ["one", "two", "ssl", "all", "clear"], secure=server.secure, plain=server.plain) as balancer:
            yield server, balancer


group = Group("The PROXY protocol, behind HAProxy", announced)


def https(balancer, name):
    return f"https://localhost:{balancer.port(name)}"


@group.each("a page comes whole over TLS that ends here, {}", FRONTENDS)
def _(given, name):
    server, balancer = given
    answer = ask(server, https(balancer, name) + PATH, fresh())
    equal(answer.status, 200)
    contains(answer.body, b"Parrot")
    holds(answer.get("Strict-Transport-Security"), "over TLS")


@group.each("limits count the client that HAProxy announces, {}", FRONTENDS)
def _(given, name):
    server, balancer = given
    counts_by_client(server, https(balancer, name))


@group.promise("limits count the client that HAProxy announces, in the clear")
def _(given):
    server, balancer = given
    counts_by_client(server, f"http://localhost:{balancer.port('clear')}")


@group.promise("what a client claims in its own fields is not looked at, though its connection came by a trusted proxy")
def _(given):
    server, balancer = given
    client = newcomer(server, https(balancer, "two"), "-H", "X-Forwarded-For: 192.0.2.1")
    claims = ["-H", "X-Forwarded-For: 192.0.2.2", "-H", "Forwarded: for=192.0.2.2"]
    holds(is_known(server, https(balancer, "two"), client, *claims), "the same client")
    answer = ask(server, f"http://localhost:{balancer.port('clear')}{PATH}", client, "-H", "X-Forwarded-Proto: https")
    equal((answer.status, answer.get("Strict-Transport-Security")), (200, None))


@group.promise("an address has so many connections and no more; each that ends makes room, and others are not touched")
def _(given):
    server, balancer = given
    full, other = fresh(), fresh()
    context = tls_context(server.ca)

    def connect(source):
        return Wire(balancer.port("two"), context, source=source)

    def is_refused():
        try:
            with connect(full) as wire:
                return wire.get(REST).status != 200
        except (OSError, AssertionError):
            return True

    for _ in range(2):
        with contextlib.ExitStack() as crowd:
            wires = [crowd.enter_context(connect(full)) for _ in range(MOST)]
            equal([wire.get(REST).status for wire in wires], [200] * MOST)
            before = server.closes("too_many_from_address")
            holds(is_refused(), "one more is refused")
            equal(server.closes("too_many_from_address"), before + 1)
            with connect(other) as wire:
                equal(wire.get(REST).status, 200)
            wires[0].socket.close()
            eventually(lambda: not is_refused(), "room again")
    eventually(lambda: server.metrics()["bridgehost_handshakes"] == 0, "no place is kept")


@group.promise("health checks of HAProxy pass: a bare one, and LOCAL with a TLS handshake behind it")
def _(given):
    server, balancer = given
    for backend, check in (("one", "L4OK"), ("two", "L6OK")):
        eventually(lambda: balancer.servers()[backend, "replica"]["check_status"] == check, f"{backend} is up")
    equal(server.closes("malformed_proxy_header"), 0)


@group.promise("whoever comes past the proxy is closed without a word: untrusted_peer")
def _(given):
    server, _ = given
    before = server.closes("untrusted_peer")
    for port in (server.secure, server.plain):
        with Wire(port, source="127.0.0.2") as stranger:
            with contextlib.suppress(OSError):
                stranger.send(b"PROXY TCP4 192.0.2.1 192.0.2.1 1 2\r\n" + client_hello())
            holds(stranger.ends(), "closed")
    equal(server.closes("untrusted_peer"), before + 2)
