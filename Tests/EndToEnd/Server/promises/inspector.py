"""The inspector: for the developer of an app, on this machine alone, and nowhere unless it was asked for."""
import base64
import hashlib
import json
import re

from harness.promises import Group, contains, equal, holds
from harness.refusal import promptly
from harness.world import CHECKOUT, PATH, World

VIEW = "/inspect/polly/parrot"
FRAMED = VIEW + "/page"


def inspectable(**settings):
    world = World(**settings)
    for file in (CHECKOUT / "public").glob("inspect*"):
        world.write("public/" + file.name, file.read_text())
    world.tenant("brand", hosts=["chat.acme.example"])
    return world


def inspected():
    with inspectable().start("--inspect") as server:
        yield server


def data(answer):
    """What a page finds in its data block."""
    return json.loads(re.search(rb'id="bridge-config">(.*?)</script>', answer.body)[1])


group = Group("Inspector", inspected)


@group.promise("its address is announced, and leads to every bridge, those without a page named as such")
def _(server):
    contains(server.output, f"inspector https://localhost:{server.secure}/inspect/")
    listed = data(server.curl("/inspect/"))["bridges"]
    equal([(one["tenant"], one["bridge"], one.get("path")) for one in listed],
          [("brand", "mute", None), ("brand", "parrot", "/inspect/brand/parrot"),
           ("polly", "mute", None), ("polly", "parrot", VIEW)])
    for one in listed:
        if "path" in one:
            equal(server.curl(one["path"]).status, 200, one["path"])


@group.promise("it tells the fields of the page as they are sent, and the page's data")
def _(server):
    told, page = data(server.curl(VIEW)), server.curl(PATH)
    sent = dict(page.fields)
    holds(len(told["fields"]) >= 8, "all security fields")
    for field in told["fields"]:
        equal(sent.get(field["name"]), field["value"], field["name"])
    equal(told["page"], data(page))


@group.promise("the framed page differs by one script, its hash and frame-ancestors, in body and fields")
def _(server):
    page, framed = server.curl(PATH), server.curl(FRAMED)
    script = re.search(rb"<script>// Plays the app.*?</script>", framed.body, re.S)[0]
    equal(framed.body.replace(script, b"", 1), page.body)
    policy = framed.one("Content-Security-Policy")
    digest = hashlib.sha256(script[len(b"<script>"):-len(b"</script>")]).digest()
    source = f" 'sha256-{base64.b64encode(digest).decode()}'"
    contains(policy, source)
    contains(policy, "frame-ancestors 'self'")
    equal(policy.replace(source, "").replace("frame-ancestors 'self'", "frame-ancestors 'none'"),
          page.one("Content-Security-Policy"))
    others = {"content-security-policy", "content-length", "date", "etag", "x-request-id"}
    fields = [[(n, v) for n, v in answer.fields if n.lower() not in others] for answer in (page, framed)]
    equal(fields[1], fields[0])


@group.each("a host name that others could use has no {}", {"list": "/inspect/", "view": VIEW, "framed page": FRAMED})
def _(server, path):
    equal(server.curl(path).status, 200)
    equal(server.curl(path, host="127.0.0.1").status, 200)
    equal(server.curl(path, host="pages.example").status, 404)
    equal(server.curl(path, host="chat.acme.example").status, 404)


@group.promise("its files are pages of nobody: they have no path")
def _(server):
    for file in ("inspect.html", "inspect.js", "inspect.css", "inspect-app.js"):
        equal(server.curl("/" + file).status, 404, file)


@group.promise("a reload shows what the files say now")
def _(_server):
    world = inspectable()
    with world.start("--inspect") as server:
        world.tenant("polly", word="changed")
        server.reload()
        equal(data(server.curl(VIEW))["page"]["config"]["word"], "changed")


@group.promise("unless it was asked for, nothing is under /inspect/")
def _(_server):
    with inspectable().start() as server:
        for path in ("/inspect/", VIEW, FRAMED, "/inspect.html"):
            equal(server.curl(path).status, 404, path)


OPEN = {"a listener on all addresses": {"listeners": [{"address": "0.0.0.0", "port": 0}]},
        "a listener on all IPv6 addresses": {"listeners": [{"address": "::", "port": 0}]},
        "an admin listener on all addresses": {"admin": {"address": "0.0.0.0", "port": 0}}}


@group.each("with {} it is refused in one line, as wrong usage", OPEN)
def _(_server, settings):
    ended = promptly(lambda: inspectable(**settings).command("serve", "--inspect"))
    equal(ended.status, 2, ended.text)
    equal(len(ended.text.splitlines()), 1, ended.text)
    contains(ended.err, "--inspect is for development")


@group.promise("without its files it does not start, and says which one is missing")
def _(_server):
    ended = promptly(lambda: World().command("serve", "--inspect"))
    equal(ended.status, 1, ended.text)
    contains(ended.err, "inspect.html")
