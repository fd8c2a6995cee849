"""What a policy may be made of: smuggling is refused when files are loaded, and settings choose sources."""
import re

from harness.promises import Group, contains, equal, holds
from harness.world import DESCRIPTOR, World

group = Group("Policies")

SMUGGLED = {
    "a second directive": "https://a.example; script-src *", "a second policy": "https://a.example,default-src *",
    "every host": "https://*", "a bare star": "*", "a scheme": "https:", "http": "http://x",
    "a whole domain": "https://*.example", "'unsafe-eval'": "'unsafe-eval'", "'unsafe-inline'": "'unsafe-inline'",
    "'self'": "'self'", "a newline": "https://a.example\nX: y", "a carriage return": "https://a.example\r\nX: y",
    "a space": "https://a.example https://b.example", "a tab": "https://a.example\tscript-src", "data:": "data:",
    "a quote": "https://a.example'", "NUL": "https://a.example\u0000", "U+2028": "https://a.example\u2028",
    "a user": "https://a@b.example", "a star in the middle": "https://a.*.example", "an empty source": "",
    "a nonce": "'nonce-abc'", "a look-alike letter": "https://\u0430.example", "javascript:": "javascript:alert(1)",
    "a query": "https://a.example/x?y", "no host": "https://", "a bad port": "https://a.example:99999999"}
FINE = {
    "a wildcard with two labels": "https://*.vendor.example", "a path": "https://cdn.example/v2/",
    "a port": "https://a.example:8443", "wss": "wss://live.vendor.example"}


def with_source(source, directive="connect-src"):
    world = World()
    world.tenant("acme", policy={directive: [source]})
    return world


@group.each("refused at load, with its place, in a tenant's file: {}", SMUGGLED)
def _(source):
    checked = with_source(source).command("check")
    equal(checked.status, 1)
    contains(checked.out, "tenants/acme.json:7:11: error: $.bridges.parrot.policy[\"connect-src\"][0]: found ")
    contains(checked.out, "1 errors")


@group.each("accepted in a tenant's file, and sent: {}", FINE)
def _(source):
    rendered = with_source(source).command("render", "acme", "parrot")
    equal(rendered.status, 0)
    policy = [line for line in rendered.out.split("\r\n") if line.startswith("Content-Security-Policy: ")][0]
    connect = [part for part in policy.split("; ") if part.startswith("connect-src ")][0]
    holds(source in connect.split(" "), connect)


@group.each("a tenant can't touch {}", {name: name for name in (
    "script-src", "default-src", "object-src", "base-uri", "form-action", "worker-src", "report-uri", "sandbox")})
def _(directive):
    checked = with_source("https://a.example", directive).command("check")
    equal(checked.status, 1)
    contains(checked.out, "tenants/acme.json:6:9: error: $.bridges.parrot.policy")
    contains(checked.out, f'"{directive}"; expected one of: connect-src, ')


@group.promise("a tenant may be framed by an app's own scheme, never by everyone")
def _():
    for source in ("capacitor://localhost", "https://www.acme.example"):
        equal(with_source(source, "frame-ancestors").command("check").status, 0, source)
    for source in ("*", "https://*", "data:", "http://a.example", "file://", "capacitor:", "https://a.example/x"):
        equal(with_source(source, "frame-ancestors").command("check").status, 1, source)


@group.each("a descriptor with {} keeps the service from starting", {
    "a star for scripts": {"script-src": ["*"]}, "'unsafe-inline' for scripts": {"script-src": ["'unsafe-inline'"]},
    "'unsafe-eval'": {"script-src": ["'unsafe-eval'"]}, "data: for scripts": {"script-src": ["data:"]},
    "http": {"connect-src": ["http://a.example"]}, "smuggling": {"img-src": ["https://a.example; script-src *"]}})
def _(policy):
    world = World()
    world.write("config/bridges/parrot.json", {**DESCRIPTOR, "policy": policy})
    ended = world.command("serve")
    equal(ended.status, 1)
    contains(ended.err, "bridges/parrot.json:")


def policy_of(rendered, directive):
    equal(rendered.status, 0, rendered.err)
    policy = [line for line in rendered.out.split("\r\n") if line.startswith("Content-Security-Policy: ")][0]
    found = [part for part in policy.partition(": ")[2].split("; ") if part.startswith(directive + " ")]
    return found[0].split(" ")[1:] if found else []


@group.promise("sources follow the region that a tenant sets")
def _():
    world = World()
    world.tenant("east", region="east")
    world.tenant("west", region="west")
    equal(policy_of(world.command("render", "east", "parrot"), "connect-src"),
          ["https://east.parrot.example", "wss://east.parrot.example"])
    equal(policy_of(world.command("render", "west", "parrot"), "connect-src"), ["https://west.parrot.example"])
    equal(policy_of(world.command("render", "polly", "parrot"), "connect-src"),
          ["https://east.parrot.example", "wss://east.parrot.example"], "the default region")


@group.promise("a region that no one knows gets the sources of all, and a warning with its place")
def _():
    world = World()
    world.tenant("north", region="north")
    equal(policy_of(world.command("render", "north", "parrot"), "connect-src"),
          ["https://east.parrot.example", "wss://east.parrot.example", "https://west.parrot.example"])
    checked = world.command("check")
    equal(checked.status, 0)
    contains(checked.out, "tenants/north.json:5:19: warning: $.bridges.parrot.settings.region")


@group.promise("a URL in a setting adds its origin, and a switch the permission, only where the tenant sets them")
def _():
    world = World()
    world.tenant("loud", loud=True, sound="https://cdn.acme.example/a/b.mp3")
    rendered = world.command("render", "loud", "parrot")
    equal(policy_of(rendered, "media-src"), ["https://cdn.acme.example"])
    contains(rendered.out, 'microphone=(self "https://east.parrot.example")')
    quiet = world.command("render", "polly", "parrot")
    equal(policy_of(quiet, "media-src"), [])
    contains(quiet.out, "microphone=()")


@group.each("a URL setting can't smuggle: {}", {
    "a directive": "https://a.example; script-src *", "a policy": "https://a.example,b", "http": "http://a.example/",
    "a user": "https://a.example@evil.example/", "a wildcard": "https://*.example/", "a quote": "https://a.example/'",
    "a newline": "https://a.example/\n"})
def _(url):
    world = World()
    world.tenant("acme", sound=url)
    checked = world.command("check")
    equal(checked.status, 1)
    contains(checked.out, "$.bridges.parrot.settings.sound: found ")


@group.promise("a policy that is only tried is sent as report-only beside the one that counts")
def _():
    world = World()
    world.write("config/tenants/acme.json", {"bridges": {"parrot": {"reportOnly": {"img-src": ["https://new.example"]}}}})
    rendered = world.command("render", "acme", "parrot")
    equal(policy_of(rendered, "img-src"), [])
    tried = [line for line in rendered.out.split("\r\n") if line.startswith("Content-Security-Policy-Report-Only: ")]
    contains(tried[0], "img-src https://new.example")


@group.promise("what is tried takes the place of the tenant's sources of the directives that it names, and of no others")
def _():
    world = World()
    sources = {"img-src": ["https://old.example"], "font-src": ["https://kept.example"]}
    tried = {"img-src": ["https://new.example"], "frame-src": []}
    world.write("config/tenants/acme.json", {"bridges": {"parrot": {"policy": sources, "reportOnly": tried}}})
    rendered = world.command("render", "acme", "parrot").out
    policies = dict(line.split(": ", 1) for line in rendered.split("\r\n") if line.startswith("Content-Security-"))
    enforced, trial = policies["Content-Security-Policy"], policies["Content-Security-Policy-Report-Only"]
    contains(enforced, "img-src https://old.example; font-src https://kept.example;")
    contains(trial, "img-src https://new.example; font-src https://kept.example;")
    equal(trial.replace("new.example", "old.example"), enforced, "no other difference")


def explained(world, tenant="acme"):
    ended = world.command("policy", tenant, "parrot")
    equal((ended.status, ended.err), (0, ""))
    return [re.split(r"  +", line.strip()) for line in ended.out.splitlines()]


@group.promise("policy explains each source: the page's hash, the setting's value, the tenant's file, and who heeds it")
def _():
    world = World()
    world.tenant("acme", policy={"img-src": ["https://img.acme.example"]}, region="east", loud=True,
                 sound="https://cdn.acme.example/a.mp3")
    rows = explained(world)
    for row in (
            ["directive", "source", "heeded by", "from"],
            ["default-src", "'none'", "all", "every page"],
            ["script-src", "'strict-dynamic'", "Safari from 15.4, Chrome", "every page"],
            ["connect-src", "https://east.parrot.example", "all", 'the descriptor, by region = "east"'],
            ["connect-src", "wss://east.parrot.example", "all; https alone does not allow it",
             'the descriptor, by region = "east"'],
            ["img-src", "https://img.acme.example", "all", "the tenant's file"],
            ["media-src", "https://cdn.acme.example", "all", 'the descriptor, by sound = "https://cdn.acme.example/a.mp3"'],
            ["report-to", "bridgehost", "Safari from 16.4, Chrome", "every page"],
            ["microphone", "the page https://east.parrot.example", "Chrome; on iOS the app decides",
             "the descriptor, by loud = true"],
            ["all others", "nobody", "Chrome; on iOS the app decides", "every page"]):
        holds(row in rows, f"{row} in {rows}")
    holds(any(row[0] == "script-src" and row[1].startswith("'sha256-") and row[3] == "the page's file" for row in rows), rows)


@group.promise("policy explains exactly what is sent, the enforced policy and the tried one")
def _():
    world = World()
    entry = {"settings": {"region": "north"}, "reportOnly": {"img-src": ["https://new.example"]}}
    world.write("config/tenants/acme.json", {"bridges": {"parrot": entry}})
    sent = re.findall(r"^Content-Security-Policy(?:-Report-Only)?: (.*?)\r?$",
                      world.command("render", "acme", "parrot").out, re.M)
    text = "\n".join("  ".join(row) for row in explained(world)).split("Permissions-Policy")[0]
    tables = [section.splitlines()[1:] for section in text.split("directive  source")[1:]]
    told = [[line.split("  ")[:2] for line in table if "  " in line] for table in tables]
    wanted = [[[part.split(" ")[0], source] for part in policy.split("; ") for source in part.split(" ")[1:]]
              for policy in sent]
    equal(told, wanted)


@group.promise("policy of a page that is not there is one clear line and status 1; a broken file is told with its place")
def _():
    world = World()
    world.write("config/tenants/acme.json", '{"bridges": {"parrot": {"enabled": 1}}}')
    ended = world.command("policy", "polly", "mute")
    equal((ended.status, ended.out, ended.err), (1, "", "bridgehost: no page of bridge mute for tenant polly\n"))
    contains(world.command("policy", "acme", "parrot").err, "tenants/acme.json:1:36: error: ")


@group.each("a page that its policy could not protect is refused: {}", {
    "an event handler": ("</body>", '<p onclick="x()">a</p></body>'),
    "an external script": ("</body>", '<script src="https://evil.example/a.js"></script></body>'),
    "a deferred script": ('<script src="parrot.js">', '<script src="parrot.js" defer>'),
    "a base element": ("<title>", '<base href="https://evil.example/"><title>'),
    "two data blocks": ("</body>", '<script type="application/json" id="bridge-config">{}</script></body>'),
    "no data block": ('id="bridge-config"', 'id="other"'), "a byte order mark": ("<!doctype", "\ufeff<!doctype"),
    "a javascript: link": ("</body>", '<a href="javascript:x()">a</a></body>')})
def _(change):
    world = World()
    page = world.public / "parrot.html"
    world.write("public/parrot.html", page.read_text().replace(*change))
    ended = world.command("serve")
    equal(ended.status, 1)
    contains(ended.err, "parrot.html")


@group.each("an inlined script with {} is refused", {"</script": "'</script>'", "<!--": "'<!--'", "NUL": "'\0'"})
def _(text):
    world = World()
    world.write("public/parrot.js", f"var a = {text};\n")
    ended = world.command("serve")
    equal(ended.status, 1)
    contains(ended.err, "parrot.")
