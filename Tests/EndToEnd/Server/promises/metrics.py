"""Metrics: well-formed, true, named from the catalog alone, and bounded whatever is asked."""
import json
import random
import re
import ssl
import time

from harness.promises import Group, equal, eventually, holds
from harness.signing import SigningWorld, door
from harness.tools import run
from harness.wire import Wire, request, tls_context
from harness.world import BOTH, CHECKOUT, LIST, PATH, REST, shop, World



def world(**settings):
    made = World(listeners=BOTH, **settings)
    made.tenant("acme", hosts=["chat.acme.example"])
    return made


def busy():
    with world().start() as server:
        yield server


group = Group("Metrics", busy)


def promtool(*arguments, stdin=b""):
    checked = run("promtool", *arguments, stdin=stdin)
    equal((checked.status, checked.err.strip()), (0, ""), "promtool finds nothing")
    return checked.out


def requests(server, tenant, bridge, status):
    return server.metrics().get(f'bridgehost_requests_total{{tenant="{tenant}",bridge="{bridge}",status="{status}"}}', 0)


@group.promise("promtool finds nothing to blame, before and after traffic of every kind")
def _(server):
    promtool("check", "metrics", stdin=server.ask_admin("/metrics").body)
    for path in (PATH, REST, LIST, "/nothing"):
        server.curl(path)
    server.curl(PATH, "--head", "--tls-max", "1.2")
    server.curl("/reports/polly/parrot", "--header", "Content-Type: application/csp-report", "--data-binary",
                json.dumps({"csp-report": {"effective-directive": "img-src", "blocked-uri": "data"}}))
    server.curl(REST + "/identity", "--data-binary", "{}")
    server.wait_line("^policy violation")
    promtool("check", "metrics", stdin=server.ask_admin("/metrics").body)


@group.promise("answers are counted for the tenant and bridge that they belong to, by class of status")
def _(server):
    tag = server.curl(PATH).one("ETag")
    cases = [(PATH, "localhost", [], "polly", "parrot", "2xx"), (REST, "localhost", [], "polly", "parrot", "2xx"),
             (PATH, "localhost", ["--header", f"If-None-Match: {tag}"], "polly", "parrot", "3xx"),
             (PATH, "localhost", ["--request", "PUT"], "polly", "parrot", "4xx"),
             (LIST, "localhost", [], "polly", "none", "2xx"), ("/parrot.html", "chat.acme.example", [], "acme", "parrot", "2xx"),
             ("/nothing", "chat.acme.example", [], "acme", "none", "4xx"), ("/nothing", "localhost", [], "none", "none", "4xx"),
             (PATH, "localhost", ["--request", "GRAB"], "none", "none", "5xx")]
    for path, host, options, *labels in cases:
        before = requests(server, *labels)
        server.curl(path, *options, host=host)
        equal(requests(server, *labels) - before, 1, f"{path} {labels}")


@group.promise("counters go on through a reload, whoever comes before in the alphabet")
def _():
    made = world()
    with made.start() as server:
        for _ in range(3):
            server.curl(PATH)
        made.tenant("aaaa")
        made.remove("config/tenants/acme.json")
        server.reload()
        server.curl("/aaaa/parrot.html")
        server.curl(PATH)
        equal(requests(server, "polly", "parrot", "2xx"), 4)
        equal(requests(server, "aaaa", "parrot", "2xx"), 1)


@group.promise("100,000 requests for anything, of any host, by any method, add no series")
def _(server):
    chance = random.Random(1)
    methods = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "QUERY", "TRACE"]

    def any_request():
        text = chance.randbytes(6).hex()
        host = chance.choice(["localhost", "chat.acme.example", f"{text}.example"])
        path = chance.choice([f"/{text}", f"/polly/{text}", f"/api/v1/tenants/{text}/bridges/{text}/identity", PATH])
        method = chance.choice(methods)
        return request(path, host, "Content-Length: 0", f"User-Agent: {text}", method=method), method == "HEAD"

    def ask(count):
        with Wire(server.plain) as wire:
            for _ in range(count // 200):
                batch = [any_request() for _ in range(200)]
                wire.send(b"".join(text for text, _ in batch))
                for _, is_head in batch:
                    wire.response(has_body=not is_head)
        for _ in range(count // 500):
            with Wire(server.plain) as wire:
                equal(wire.send(request(PATH, method=chance.randbytes(4).hex())).response().status, 501)

    # First what can come of them comes, so that all series that there can be are there.
    ask(2_000)
    before = set(server.metrics())
    ask(100_000)
    equal(set(server.metrics()) - before, set())
    names = re.findall(r'tenant="([^"]*)",bridge="([^"]*)"', server.ask_admin("/metrics").body.decode())
    holds(set(names) <= {(tenant, bridge) for tenant in ("polly", "acme", "none") for bridge in ("parrot", "mute", "none")},
          f"{set(names)}")


@group.promise("a request's time begins with its first byte, and every request is in the histogram of its listener once")
def _(server):
    family = "bridgehost_request_duration_seconds"

    def listener(counted):
        return counted[f'{family}_count{{listener="http"}}'], counted[f'{family}_sum{{listener="http"}}']

    before = listener(server.metrics())
    with Wire(server.plain) as wire:
        text = request(REST)
        wire.send(text[:20])
        eventually(lambda: server.metrics()['bridgehost_connections_by_state{state="reading_head"}'] == 1, "it reads")
        begun = time.monotonic()
        eventually(lambda: time.monotonic() - begun > 0.05, "some time is over")
        slept = time.monotonic() - begun
        wire.send(text[20:]).response()
        wire.send(request(REST) * 20)
        for _ in range(20):
            wire.response()
    eventually(lambda: listener(server.metrics())[0] - before[0] == 21, "each is counted once")
    counted = server.metrics()
    holds(listener(counted)[1] - before[1] >= slept, f"{listener(counted)[1] - before[1]} s, of which {slept} waiting")
    buckets = [value for name, value in counted.items() if name.startswith(f'{family}_bucket{{listener="http"')]
    equal(buckets, sorted(buckets), "each bucket has those below")
    equal(buckets[-1], listener(counted)[0])


@group.promise("handshakes are counted by version, and apart if they go on from an earlier session")
def _(server):
    def handshakes():
        counted = server.metrics()
        return [counted[f'bridgehost_tls_handshakes_total{{version="{version}",resumed="{resumed}"}}']
                for version in ("1.2", "1.3") for resumed in ("false", "true")]

    for version, places in ((ssl.TLSVersion.TLSv1_2, (0, 1)), (ssl.TLSVersion.TLSv1_3, (2, 3))):
        context = tls_context(server.ca, (version, version))
        before = handshakes()
        with Wire(server.secure, context) as wire:
            wire.get(PATH)
            session = wire.socket.session
        with Wire(server.secure, context, session=session) as wire:
            wire.get(PATH)
            holds(wire.socket.session_reused, "it resumed")
        equal([after - was for after, was in zip(handshakes(), before)], [1 if at in places else 0 for at in range(4)])


@group.promise("connections are counted by what they wait for, and bytes both ways")
def _(server):
    def waiting(state):
        return server.metrics()[f'bridgehost_connections_by_state{{state="{state}"}}']

    before = server.metrics()
    with Wire(server.secure) as shaking, Wire(server.plain) as body:
        shaking.send(b"\x16\x03\x01")
        eventually(lambda: waiting("handshake") == 1, "one shakes hands")
        body.send(request("/reports/polly/parrot", "localhost", "Content-Length: 9", method="POST"))
        eventually(lambda: waiting("reading_body") == 1, "one sends content")
    eventually(lambda: waiting("handshake") == waiting("reading_body") == 0, "all have gone")
    with Wire(server.plain) as wire:
        length = len(wire.get(PATH).body)
    after = server.metrics()
    holds(after["bridgehost_sent_bytes_total"] - before["bridgehost_sent_bytes_total"] > length, "bytes sent")
    holds(after["bridgehost_received_bytes_total"] - before["bridgehost_received_bytes_total"] > 100, "bytes received")


@group.promise("identities are counted as signed, refused or limited, reports as read, refused or beyond the budget")
def _():
    made = SigningWorld(limits={"identitiesPerSecond": 2, "identitiesPerSecondPerAddress": 2})
    with made.start() as server:
        def outcomes(family, **labels):
            text = ",".join(f'{key}="{value}"' for key, value in labels.items())
            return lambda outcome: server.metrics()[f'{family}{{{text}{"," if text else ""}outcome="{outcome}"}}']

        identities = outcomes("bridgehost_identities_total", tenant="polly", bridge="signer")
        statuses = []
        for token in [made.tokens["polly"]] * 20 + ["wrong"]:
            statuses.append(server.curl(door(), "--header", f"Authorization: Bearer {token}", "--json",
                                        '{"visitor":"a"}').status)
        equal([identities(outcome) for outcome in ("signed", "limited", "refused")],
              [statuses.count(status) for status in (200, 429, 401)])
        holds(all(statuses.count(status) for status in (200, 429, 401)), f"{statuses}")
        reports = outcomes("bridgehost_reports_total")
        content = json.dumps({"csp-report": {"effective-directive": "img-src", "blocked-uri": "data"}})
        with server.wire() as wire:
            one = request("/reports/polly/parrot", "localhost", f"Content-Length: {len(content)}", method="POST")
            wire.send((one + content.encode()) * 600)
            for _ in range(600):
                equal(wire.response().status, 204)
            equal(wire.send(request("/reports/polly/parrot", "localhost", "Content-Length: 0", method="POST")).response().status, 400)
        holds(reports("over_budget") > 0, "some were beyond the budget")
        equal((reports("read") + reports("over_budget"), reports("refused")), (600, 1))


@group.promise("README's alert rules are rules to promtool, and speak of metrics that there are")
def _(server):
    text = (CHECKOUT / "README.md").read_text()
    rules = re.search(r"^```yaml\n(groups:\n.*?)^```$", text, re.S | re.M)
    holds(rules, "README has rules")
    file = shop().folder / "rules.yml"
    file.write_text(rules[1])
    holds("3 rules found" in promtool("check", "rules", file), "three rules")
    families = {line.split(" ")[2] for line in server.ask_admin("/metrics").body.decode().splitlines() if line.startswith("# TYPE")}
    named = set(re.findall(r"(?:bridgehost|process)_[a-z_]+", rules[1]))
    equal({re.sub("_(bucket|count|sum)$", "", name) for name in named} - families, set())
