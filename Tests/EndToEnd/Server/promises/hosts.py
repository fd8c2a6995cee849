"""Which tenant is served under which host name, and when a request is misdirected (RFC 9110 §15.5.20)."""
import json

from harness.promises import Group, equal, holds
from harness.world import LIST, PATH, REST, World


def brands():
    world = World(hosts=["pages.example", "uncovered.example"])
    world.tenant("acme", hosts=["chat.acme.example", "other.acme.example"], word="acme's own")
    with world.start() as server:
        yield server


group = Group("Hosts and tenants", brands)


@group.each("a tenant without hosts is served by path on {}",
            {name: name for name in ("localhost", "127.0.0.1", "pages.example")})
def _(server, host):
    equal(server.curl(PATH, host=host).status, 200)


@group.promise("a tenant with hosts is served at each of them without its name in the path")
def _(server):
    for host in ("chat.acme.example", "other.acme.example"):
        holds(b"acme's own" in server.curl("/parrot.html", host=host).body, host)
        equal(json.loads(server.curl("/api/v1/bridges/parrot", host=host).body)["tenant"], "acme")
        equal(len(json.loads(server.curl("/api/v1/bridges", host=host).body)["bridges"]), 2)


@group.promise("its pageURL is that of its first host, whatever host was asked")
def _(server):
    for host in ("chat.acme.example", "other.acme.example"):
        value = json.loads(server.curl("/api/v1/bridges/parrot", host=host).body)
        equal(value["pageURL"], "https://chat.acme.example/parrot.html")


@group.promise("it is served there alone: by path, on the service's hosts, there is nothing")
def _(server):
    for path in ("/acme/parrot.html", "/api/v1/tenants/acme/bridges", "/api/v1/tenants/acme/bridges/parrot"):
        equal(server.curl(path).status, 404, path)


@group.promise("and a tenant's host serves no other tenant")
def _(server):
    for path in (PATH, REST, LIST, "/acme/parrot.html"):
        equal(server.curl(path, host="chat.acme.example").status, 404, path)


@group.promise("the host is compared without case and without port")
def _(server):
    for host in ("LOCALHOST", "Pages.Example:1", "localhost:99"):
        with server.wire(name="localhost" if "local" in host.lower() else "pages.example") as wire:
            equal(wire.get(PATH, host).status, 200, host)


@group.each("a host name that nobody has is 421: {}", {name: name for name in (
    "stranger.example", "chat.acme.example.evil.example", "evilpages.example", "sub.pages.example", "192.0.2.1")})
def _(server, host):
    with server.wire() as wire:
        equal(wire.get(PATH, host).status, 421)


@group.promise("a host that is served, but not covered by the certificate that was shown, is 421")
def _(server):
    with server.wire(name="localhost") as wire:
        equal(wire.get(PATH, "uncovered.example").status, 421)
        equal(wire.get(PATH, "pages.example").status, 200, "one that it covers, on the same connection")


@group.promise("without SNI the Host field alone decides")
def _(server):
    answer = server.curl(PATH, "--header", "Host: uncovered.example", host="127.0.0.1")
    equal(answer.status, 200)


@group.promise("in absolute-form the target's authority decides, not Host")
def _(server):
    with server.wire() as wire:
        equal(wire.get("https://chat.acme.example/parrot.html", "localhost").status, 200)
        equal(wire.get(f"https://stranger.example{PATH}", "localhost").status, 421)


@group.promise("/tenants on admin lists who is served, with hosts and bridges")
def _(server):
    tenants = json.loads(server.ask_admin("/tenants").body)["tenants"]
    equal([(t["name"], t["hosts"]) for t in tenants],
          [("acme", ["chat.acme.example", "other.acme.example"]), ("polly", [])])
    equal([b["bridge"] for b in tenants[0]["bridges"]], ["mute", "parrot"])


@group.promise("tenants that claim one host are left out, and both files are named; others are served")
def _():
    world = World()
    world.tenant("one", hosts=["chat.acme.example"])
    world.tenant("two", hosts=["chat.acme.example", "other.acme.example"])
    with world.start() as server:
        equal(server.curl("/parrot.html", host="chat.acme.example").status, 421)
        equal(server.curl(PATH).status, 200, "another tenant")
        for name in ("one", "two"):
            holds(f"tenants/{name}.json:3:5: error" in server.output, server.output)
