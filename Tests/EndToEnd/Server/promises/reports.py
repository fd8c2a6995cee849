"""Policy violations: taken from whoever reports them, told once, and never a burden."""
import json
import re

from harness.promises import Group, contains, equal, eventually, holds
from harness.wire import request
from harness.world import World


def one_page():
    world = World()
    world.tenant("acme", hosts=["chat.acme.example"])
    with world.start() as server:
        yield server


group = Group("Reports", one_page)
PATH = "/reports/polly/parrot"


def legacy(directive="img-src", blocked="https://evil.example/a/path?secret=1"):
    return json.dumps({"csp-report": {"effective-directive": directive, "blocked-uri": blocked,
                                      "script-sample": "secret", "document-uri": "https://pages.example/?secret"}})


def modern(directive, blocked):
    body = {"effectiveDirective": directive, "blockedURL": blocked, "sample": "secret", "disposition": "enforce"}
    return {"type": "csp-violation", "age": 1, "url": "https://pages.example/?secret", "body": body}


def post(server, content, label="application/csp-report", path=PATH, host="localhost"):
    return server.curl(path, "--request", "POST", "--header", f"Content-Type: {label}", "--data-binary", content, host=host)


def told(server):
    return [line for line in server.lines if line and line.startswith("policy violation: ")]


@group.promise("one report is one line with tenant, bridge, directive and origin, and no path, query or sample")
def _(server):
    equal(post(server, legacy(blocked="https://one.example/a?secret=1")).status, 204)
    server.wait_line(r"^policy violation: polly parrot: img-src blocked https://one\.example$")
    holds("secret" not in server.output, "no secret")


@group.promise("the same violation again is not told again; another one is")
def _(server):
    for _ in range(5):
        post(server, legacy(blocked="https://again.example/"))
    post(server, legacy(blocked="https://other.example/"))
    server.wait_line("other.example")
    equal(sum("again.example" in line for line in told(server)), 1)
    count = re.search(r'^bridgehost_policy_violations_total\{tenant="polly",bridge="parrot",directive="img-src"\} (\d+)$',
                      server.ask_admin("/metrics").body.decode(), re.M)
    holds(count and int(count[1]) >= 6, "each is counted")


@group.promise("an array, a single object and a tenant's own host are taken alike")
def _(server):
    several = [modern("script-src-elem", "inline"), modern("font-src", "https://array.example/f.woff")]
    equal(post(server, json.dumps(several), "application/reports+json").status, 204)
    equal(post(server, json.dumps(modern("frame-src", "https://single.example/"))).status, 204)
    equal(post(server, legacy("media-src", "blob"), path="/reports/acme/parrot", host="chat.acme.example").status, 204)
    for line in ("polly parrot: script-src-elem blocked inline", "polly parrot: font-src blocked https://array.example",
                 "polly parrot: frame-src blocked https://single.example", "acme parrot: media-src blocked blob"):
        server.wait_line("^policy violation: " + re.escape(line) + "$")


@group.promise("no report can forge a line or move a cursor: foreign words become other")
def _(server):
    post(server, legacy("x\npolicy violation: acme", "https://a\u001b[2J\nready"))
    server.wait_line("^policy violation: polly parrot: other blocked other$")


@group.promise("garbage is 400 or 415, too much is 413, a page that is not there 404, GET 405")
def _(server):
    equal([post(server, text).status for text in ("{", "[1]", "{}", "", "[" * 9000)], [400] * 5)
    for kind in ("application/x-www-form-urlencoded", "text/plain"):
        equal([post(server, text, kind).status for text in ("a=b", legacy())], [415] * 2)
    equal(post(server, " " * 65536 + legacy()).status, 413)
    equal(post(server, legacy(), path="/reports/nobody/parrot").status, 404)
    equal(post(server, legacy(), path="/reports/polly/mute").status, 404)
    equal(server.curl(PATH).status, 405)


@group.promise("a flood leaves pages served, memory bounded and few lines")
def _(server):
    def memory():
        with open(f"/proc/{server.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])

    before, lines = memory(), len(told(server))
    with server.wire() as wire:
        for number in range(3000):
            body = legacy(blocked=f"https://flood{number}.example/" + "x" * 3000)
            head = request(PATH, "localhost", f"Content-Length: {len(body)}", method="POST")
            equal(wire.send(head + body.encode()).response().status, 204)
        equal(wire.get("/polly/parrot.html").status, 200)
    holds(len(told(server)) - lines <= 102, f"{len(told(server)) - lines} lines")
    holds(memory() - before < 8 << 10, f"{memory() - before} KiB more")


@group.promise("a report of another kind, or with a coding, is 415 beyond the budget as within it")
def _(server):
    with server.wire() as wire:
        for number in range(400):
            label, statuses = (("application/csp-report", (204, 400)), ("text/plain", (415,)))[number % 2]
            sent = request(PATH, "localhost", f"Content-Type: {label}", "Content-Length: 9", method="POST")
            answer = wire.send(sent + b"not a one").response()
            holds(answer.status in statuses, f"{answer.status} for {label}")
        coded = request(PATH, "localhost", "Content-Encoding: gzip", "Content-Length: 9", method="POST")
        answer = wire.send(coded + b"not a one").response()
        equal((answer.status, answer.one("Accept-Encoding")), (415, "identity"))


@group.promise("a reload tells what is still violated again")
def _():
    world = World()
    with world.start() as server:
        for count in (1, 2):
            post(server, legacy(blocked="https://still.example/"))
            eventually(lambda: len(told(server)) == count, f"told {count} times")
            server.reload()


@group.promise("a policy that is only tried is told as such, by the report or by its text")
def _():
    world = World()
    world.write("config/tenants/acme.json", {"bridges": {"parrot": {"reportOnly": {"img-src": ["https://new.example"]}}}})
    with world.start() as server:
        tried = server.curl("/acme/parrot.html").one("Content-Security-Policy-Report-Only")
        report = {"effective-directive": "img-src", "blocked-uri": "https://old.example/", "original-policy": tried}
        post(server, json.dumps({"csp-report": report}), path="/reports/acme/parrot")
        server.wait_line("^policy violation: acme parrot: img-src would block https://old.example$")


@group.promise("a POST with neither length nor chunks is 411, one of length 0 is 400, and the connection goes on")
def _(server):
    with server.wire() as wire:
        equal(wire.send(request(PATH, method="POST")).response().status, 411)
        equal(wire.send(request(PATH, "localhost", "Content-Length: 0", method="POST")).response().status, 400)
