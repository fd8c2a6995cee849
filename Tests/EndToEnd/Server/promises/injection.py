"""What a tenant writes comes out of page and REST byte-exact, and does nothing on its way."""
import hashlib
import base64
import json
import unicodedata

from harness.markup import Markup
from harness.promises import Group, equal, holds
from harness.world import World

VALUES = {
    "a closing script tag": "</script><script>alert(1)</script>", "the same in capitals": "</SCRIPT\t><img src=x>",
    "a comment that opens a script": "<!--<script>", "the end of a comment": "-->", "CDATA": "]]><![CDATA[",
    "U+2028 and U+2029": "a\u2028b\u2029c", "quotes": "\"'`\u201c\u201d", "backslashes": "\\ \\\\ \\u003c \\n",
    "a template literal": "${1} ${alert(1)} #{1} {{1}} <%= 1 %>", "replacement patterns": "$& $1 $$ $` \\0",
    "an ampersand and entities": "&lt;script&gt; &amp; &#x3c;", "control characters": "\t\n\r\b\f\u0001\u001f\u007f",
    "NUL": "a\u0000b", "emoji joined, and é as one code point": unicodedata.normalize("NFC", "👩\u200d💻 é"),
    "emoji joined, and é as two code points": unicodedata.normalize("NFD", "👩\u200d💻 é"),
    "text from right to left": "مرحبا \u202eevil\u202c", "the last code points": "\uffff\U0010ffff\ufffe",
    "4 KB of text": "Ünï<çødé>&\"" * 341, "a JavaScript URL": "javascript:alert(1)", "an empty string": "",
    "the data block's own tag": '<script type="application/json" id="bridge-config">{}</script>'}


def hostile():
    world = World()
    for index, value in enumerate(VALUES.values()):
        # Written as JSON would escape it in one half of the cases, and as it is in the other.
        content = {"bridges": {"parrot": {"settings": {"word": value}, "notice": value, "enabled": index % 3 != 0}}}
        text = json.dumps(content, ensure_ascii=index % 2 == 0)
        world.write(f"config/tenants/t{index}.json", text.replace("\x7f", "\\u007f"))
    with world.start() as server:
        yield server


group = Group("Injection", hostile)
CASES = {name: (f"t{index}", value) for index, (name, value) in enumerate(VALUES.items())}


@group.each("byte-exact in the page's data block, and harmless: {}", CASES)
def _(server, case):
    tenant, value = case
    page = server.curl(f"/{tenant}/parrot.html").body.decode()
    seen, usual = Markup(page), Markup(server.curl("/polly/parrot.html").body.decode())
    equal(seen.tags, usual.tags, "the same elements as with a harmless value")
    blocks = [text for attributes, text in seen.scripts if attributes.get("id") == "bridge-config"]
    equal(len(blocks), 1)
    for character in "<>&\u2028\u2029":
        holds(character not in blocks[0], f"no raw {character!r} in {blocks[0][:200]!r}")
    data = json.loads(blocks[0])
    equal(data["config"]["word"].encode("utf-8"), value.encode("utf-8"))
    equal(data["notice"].encode("utf-8"), value.encode("utf-8"))


@group.each("byte-exact from REST: {}", CASES)
def _(server, case):
    tenant, value = case
    answer = server.curl(f"/api/v1/tenants/{tenant}/bridges/parrot")
    equal(json.loads(answer.body.decode("utf-8", "strict"))["config"]["word"].encode("utf-8"), value.encode("utf-8"))
    equal(answer.one("Content-Type"), "application/json")


@group.promise("no value reaches a response's fields, and all pages have the same policy but for the report's path")
def _(server):
    policies = set()
    for tenant, _ in CASES.values():
        page = server.curl(f"/{tenant}/parrot.html")
        policies.add(page.one("Content-Security-Policy").replace(f"/reports/{tenant}/", "/reports/T/"))
        holds(b"alert" not in page.head, "no value in the head")
    equal(len(policies), 1)


@group.promise("every script of a page is allowed by a hash of the policy, and every style")
def _(server):
    answer = server.curl("/polly/parrot.html")
    policy, page = answer.one("Content-Security-Policy"), answer.body.decode()
    scripts = [text for attributes, text in Markup(page).scripts if "id" not in attributes]
    styles = [page[page.index("<style>") + 7:page.index("</style>")]]
    for text in scripts + styles:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        holds(f"'sha256-{digest}'" in policy, f"{text!r} in {policy}")
    equal(len(scripts), 1)


@group.promise("line ends of a page file become LF before they are hashed and sent")
def _():
    world = World()
    before = world.command("render", "polly", "parrot").out
    for name in ("parrot.html", "parrot.js", "parrot.css"):
        file = world.public / name
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    with world.start() as server:
        page = server.curl("/polly/parrot.html")
        holds(b"\r" not in page.body, "no CR")
        holds(f'ETag: {page.one("ETag")}' in before, "the same ETag")


@group.promise("two processes with the same config give the same ETags and the same bytes")
def _():
    world = World()
    world.tenant("acme", hosts=["chat.acme.example"], region="west", loud=True, times=3)
    with world.start() as one, world.start() as two:
        for path in ("/polly/parrot.html", "/api/v1/tenants/polly/bridges", "/api/v1/tenants/polly/bridges/mute"):
            for options in ([], ["--header", "Accept-Encoding: gzip"]):
                first, second = one.curl(path, *options), two.curl(path, *options)
                equal(first.one("ETag"), second.one("ETag"), path)
                equal(first.body, second.body, path)


@group.promise("another setting, another policy or another page file is another ETag")
def _():
    world = World()
    tags = [world.command("render", "polly", "parrot").out]
    world.tenant("polly", word="other")
    tags.append(world.command("render", "polly", "parrot").out)
    world.tenant("polly", policy={"img-src": ["https://a.example"]})
    tags.append(world.command("render", "polly", "parrot").out)
    world.write("public/parrot.css", "body { margin: 1px }\n")
    tags.append(world.command("render", "polly", "parrot").out)
    found = [[line for line in text.split("\r\n") if line.startswith("ETag: ")][0] for text in tags]
    equal(len(set(found)), 4, str(found))
