"""HAProxy ends TLS and asks in the clear; it says who the client is, and how that one asked."""
import contextlib

from balancer import Balancer
from callers import ask, counts_by_client, fresh, is_known, make_world, newcomer

from harness.promises import Group, contains, equal, eventually, holds
from harness.tools import run
from harness.wire import Wire, request, tls_context
from harness.world import PATH, REST, shop

# The part of the README, with another frontend for what it writes when told to write Forwarded.
CONFIG = """
    mode http
frontend https
    bind {https} ssl crt {pem} alpn h2,http/1.1
    http-request set-header X-Forwarded-Proto https
    default_backend replicas
frontend http
    bind {http}
    http-request set-header X-Forwarded-Proto http
    default_backend replicas
frontend standard
    bind {standard} ssl crt {pem}
    http-request add-header Forwarded "for=%[src];proto=https"
    default_backend others
backend replicas
    option forwardfor
    server replica 127.0.0.1:{plain}
backend others
    server replica 127.0.0.1:{other}
"""
PLAIN = [{"address": "127.0.0.1", "port": 0, "tls": False}]
MOST = 2


def terminated():
    pem = shop().folder / "haproxy.pem"
    pem.write_text("".join(open(shop().certificates[part]).read() for part in ("chain", "key")))
    few = {"connectionsPerAddress": MOST}
    with make_world(PLAIN, limits=few).start() as server, make_world(PLAIN, forwardedFields="Forwarded").start() as other:
        values = {"plain": server.plain, "other": other.plain, "pem": pem}
        with Balancer(CONFIG, ["https", "http", "standard"], **values) as balancer:
            yield server, other, balancer


group = Group("Behind an HAProxy that ends TLS", terminated)


@group.each("a page is served as over https, {}", {"HTTP/1.1": "1.1", "HTTP/2": "2"})
def _(given, version):
    server, _, balancer = given
    asked = run("curl", "--silent", "--noproxy", "*", "--cacert", server.ca, f"--http{version}", "--write-out",
                "\n%{http_version} %{response_code} %header{strict-transport-security}",
                f"https://localhost:{balancer.port('https')}{PATH}")
    contains(asked.out, "Parrot")
    equal(asked.out.splitlines()[-1], f"{version} 200 max-age=31536000")


@group.promise("a page that was asked for in the clear goes to https, and REST is refused")
def _(given):
    server, _, balancer = given
    url = f"http://localhost:{balancer.port('http')}"
    answer = ask(server, url + PATH + "?a=b", fresh())
    equal((answer.status, answer.one("Location")), (308, f"https://localhost{PATH}?a=b"))
    equal(ask(server, url + REST, fresh()).status, 403)


@group.promise("limits count the client behind it")
def _(given):
    server, _, balancer = given
    counts_by_client(server, f"https://localhost:{balancer.port('https')}")


@group.promise("limits count the client behind it, where it writes Forwarded")
def _(given):
    _, other, balancer = given
    counts_by_client(other, f"https://localhost:{balancer.port('standard')}")


@group.each("what a client says of itself does not count: {}", {
    "X-Forwarded-For": "X-Forwarded-For: 192.0.2.{}", "a list": "X-Forwarded-For: 192.0.2.{}, 127.0.0.1, 10.0.0.1",
    "no address": "X-Forwarded-For: {} \"unknown", "Forwarded": "Forwarded: for=192.0.2.{}",
    "an open quote in Forwarded": "Forwarded: for=\"192.0.2.{}", "X-Forwarded-Proto": "X-Forwarded-Proto: http{}"})
def _(given, line):
    server, other, balancer = given
    for target, name in ((server, "https"), (other, "standard")):
        url = f"https://localhost:{balancer.port(name)}"
        client = newcomer(target, url, "-H", line.format(1))
        holds(is_known(target, url, client, "-H", line.format(2)), f"{name}: the same client")


@group.promise("a client that comes past the proxy is who it is, and its fields are not looked at")
def _(given):
    server, _, _ = given
    base = f"http://localhost:{server.plain}"
    client = newcomer(server, base, "-H", "X-Forwarded-For: 192.0.2.1")
    holds(is_known(server, base, client, "-H", "X-Forwarded-For: 192.0.2.2"), "the same client")
    answer = ask(server, base + PATH, client, "-H", "X-Forwarded-Proto: https")
    equal((answer.status, answer.get("Strict-Transport-Security")), (200, None))


@group.promise("the proxy's own connections are not counted against an address")
def _(given):
    server, _, balancer = given
    context = tls_context(server.ca, alpn=())
    half = request(REST, "localhost", "Content-Length: 99", method="POST") + b"half"
    with contextlib.ExitStack() as crowd:
        for _ in range(MOST + 3):
            crowd.enter_context(Wire(balancer.port("https"), context, source=fresh())).send(half)
        eventually(lambda: server.metrics()["bridgehost_connections"] > MOST + 1, "all have come")
        equal(ask(server, f"https://localhost:{balancer.port('https')}{PATH}", fresh()).status, 200)
    equal(server.closes("too_many_from_address"), 0)
