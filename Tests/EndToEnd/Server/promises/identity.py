"""Signed identities: what is signed with what, and what is refused and why (design of the vendors: HMAC-SHA256, hex)."""
import json

from harness.promises import Group, contains, equal, holds
from harness.signing import HOST, KEYS, OWN_DOOR, SigningWorld, code, door, sign
from harness.tools import curl

KNOWN = "ec55e42e5dac77d3ebddb6188de0c1f64614c9a57e4521914cff27bf458f2f9d"


def signing():
    world = SigningWorld()
    with world.start() as server:
        yield server, world


group = Group("Identities", signing)


@group.promise("user-123 under inbox-secret-A is the vendor's known answer, in the descriptor's fields, kept by no cache")
def _(given):
    server, world = given
    answer = sign(server, {"visitor": "user-123"}, world.tokens["polly"])
    equal((answer.status, json.loads(answer.body)), (200, {"visitor": "user-123", "proof": KNOWN}))
    equal(answer.one("Cache-Control"), "no-store")
    equal(answer.one("Content-Type"), "application/json")


@group.each("the exact bytes are signed: {}", {
    "spaces about it": " user-123 ", "a line end": "user-123\n", "composed": "\u00e9", "decomposed": "e\u0301",
    "an emoji": "\U0001f600", "what HTML and JSON escape": "<&>\"\\/", "512 bytes": "a" * 512, "256 of two": "\u00e9" * 256,
    "128 of four": "\U0001f600" * 128, "right to left": "\u0645\u0633\u062a\u062e\u062f\u0645", "NUL": "\0"})
def _(given, text):
    server, world = given
    answer = sign(server, {"visitor": text}, world.tokens["polly"])
    equal(answer.status, 200)
    equal(json.loads(answer.body), {"visitor": text, "proof": code(text, KEYS["polly-new"])})


@group.promise("NFC and NFD of one name are two ids, and escapes in JSON make no difference")
def _(given):
    server, world = given
    bodies = [b'{"visitor":"\xc3\xa9"}', b'{"visitor":"\\u00e9"}', b'{"visitor":"e\xcc\x81"}']
    answers = [json.loads(sign(server, body, world.tokens["polly"]).body)["proof"] for body in bodies]
    equal(answers, [code(text, KEYS["polly-new"]) for text in ("\u00e9", "\u00e9", "e\u0301")])


@group.each("{} is refused", {
    "no content": (b"", 400, "not JSON"), "half an object": (b'{"visitor":', 400, "not JSON"),
    "a repeated name": (b'{"visitor":"a","visitor":"b"}', 400, "twice"), "an array": (b'["a"]', 422, "no object"),
    "an object without the id": (b"{}", 422, "no id"), "another field": (b'{"visitor":"a","admin":true}', 422, "no other"),
    "a number": (b'{"visitor":123}', 422, "no string"), "null": (b'{"visitor":null}', 422, "no string"),
    "an empty id": (b'{"visitor":""}', 422, "empty"), "513 bytes": (b'{"visitor":"%s"}' % (b"a" * 513), 422, "longer than 512"),
    "257 letters of two bytes": (b'{"visitor":"%s"}' % ("\u00e9" * 257).encode(), 422, "longer than 512"),
    "half of a surrogate pair": (b'{"visitor":"\\ud83d"}', 422, "surrogate"),
    "a trailing comma": (b'{"visitor":"a",}', 400, "not JSON"), "a byte order mark": (b'\xef\xbb\xbf{"visitor":"a"}', 400, "not JSON")})
def _(given, case):
    server, world = given
    body, status, words = case
    answer = sign(server, body, world.tokens["polly"])
    equal(answer.status, status)
    equal(answer.one("Content-Type"), "application/problem+json")
    contains(json.loads(answer.body)["detail"], words)


@group.promise("content that is not JSON by its type is 415, and charset=utf-8 is fine")
def _(given):
    server, world = given
    for kind, status in (("text/plain", 415), ("application/json; charset=iso-8859-1", 415), (None, 415),
                         ("application/json; charset=utf-8", 200), ("Application/JSON", 200)):
        equal(sign(server, {"visitor": "a"}, world.tokens["polly"], kind=kind).status, status, kind)


@group.promise("content with a coding is 415 with the one that is taken, and none is fine")
def _(given):
    server, world = given
    for coding, status in (("gzip", 415), ("foo", 415), ("identity, gzip", 415), ("identity", 200), ("", 200)):
        field = f"Content-Encoding: {coding}" if coding else "Content-Encoding;"
        answer = sign(server, {"visitor": "a"}, world.tokens["polly"], "--header", field)
        equal((answer.status, answer.get("Accept-Encoding")), (status, "identity" if status == 415 else None), coding)


@group.promise("kid asks for an older key; a key that the tenant does not have is 404")
def _(given):
    server, world = given
    for kid, expected in (("polly-new", "polly-new"), ("polly-old", "polly-old")):
        answer = sign(server, {"visitor": "a"}, world.tokens["polly"], path=f"{door()}?kid={kid}")
        equal(json.loads(answer.body)["proof"], code("a", KEYS[expected]))
    for query, status in (("kid=rival", 404), ("kid=", 404), ("kid=polly-old&kid=polly-new", 400), ("key=polly-old", 400)):
        equal(sign(server, {"visitor": "a"}, world.tokens["polly"], path=f"{door()}?{query}").status, status, query)


@group.promise("a tenant without a key is 409")
def _(given):
    server, world = given
    equal(sign(server, {"visitor": "a"}, world.tokens["keyless"], path=door("keyless")).status, 409)


@group.promise("what names an origin is 403, with a valid token too, and gets no field of CORS")
def _(given):
    server, world = given
    for origin in ("https://evil.example", "capacitor://localhost", "null"):
        answer = sign(server, {"visitor": "a"}, world.tokens["polly"], "--header", f"Origin: {origin}")
        equal(answer.status, 403)
        equal([name for name, _ in answer.fields if name.lower().startswith("access-control")], [])


@group.promise("it is signed behind a proxy in the clear, and never where everything leads to https")
def _(given):
    server, world = given
    options = ["--data-binary", '{"visitor":"user-123"}', "--header", "Content-Type: application/json",
               "--header", f"Authorization: Bearer {world.tokens['polly']}"]
    contains(curl(f"http://localhost:{server.plain}{door()}", *options).body.decode(), KNOWN)
    equal(curl(f"http://localhost:{server.redirect}{door()}", *options).status, 403)


@group.promise("GET is 405, whether tenant and bridge are there or not")
def _(given):
    server, _ = given
    for path in (door(), door("nobody"), door(bridge="parrot")):
        answer = server.curl(path)
        equal((answer.status, answer.one("Allow")), (405, "POST, OPTIONS"), path)


@group.promise("a tenant with a host is asked there alone")
def _(given):
    server, world = given
    answer = sign(server, {"visitor": "a"}, world.tokens["hosted"], path=OWN_DOOR, host=HOST)
    equal(json.loads(answer.body)["proof"], code("a", KEYS["hosted"]))
    equal(sign(server, {"visitor": "a"}, world.tokens["hosted"], path=door("hosted")).status, 401)


rotation = Group("Rotation of keys")


@rotation.promise("a new key signs after SIGHUP, the old one is had by its kid, and one that is gone by none")
def _():
    world = SigningWorld()
    with world.start() as server:
        world.secret("polly-newer", "inbox-secret-E")
        world.signer("polly", ["polly-newer", "polly-new"], ["polly"])
        server.reload()
        token = world.tokens["polly"]
        equal(json.loads(sign(server, {"visitor": "a"}, token).body)["proof"], code("a", "inbox-secret-E"))
        old = sign(server, {"visitor": "a"}, token, path=f"{door()}?kid=polly-new")
        equal(json.loads(old.body)["proof"], code("a", KEYS["polly-new"]))
        equal(sign(server, {"visitor": "a"}, token, path=f"{door()}?kid=polly-old").status, 404)


@rotation.each("after a reload with {} the tenant signs as before, and others with what is new", {
    "an empty file": "", "a file of two lines": "inbox\nsecret\n", "no file": None})
def _(content):
    world = SigningWorld()
    with world.start() as server:
        world.remove("secrets/polly-new")
        if content is not None:
            world.secret("polly-new", content)
        world.secret("rival", "inbox-secret-F")
        line, told = server.reload()
        contains(line, "reloaded")
        contains(told, "tenants/polly.json:")
        contains(told, "tenant polly stays as it was")
        answer = sign(server, {"visitor": "user-123"}, world.tokens["polly"])
        equal(json.loads(answer.body)["proof"], KNOWN)
        answer = sign(server, {"visitor": "a"}, world.tokens["rival"], path=door("rival"))
        equal(json.loads(answer.body)["proof"], code("a", "inbox-secret-F"))


@rotation.promise("at start a tenant whose key can't be read is left out, and others are served")
def _():
    world = SigningWorld()
    world.remove("secrets/polly-old")
    with world.start() as server:
        holds("tenant polly is not served" in server.output, server.output)
        equal(sign(server, {"visitor": "a"}, world.tokens["polly"]).status, 401)
        equal(sign(server, {"visitor": "a"}, world.tokens["rival"], path=door("rival")).status, 200)


@rotation.promise("a key that every user can read is used with a warning, and one behind a link out of the folder is not")
def _():
    world = SigningWorld()
    world.secret("polly-new", "inbox-secret-A", mode=0o644)
    checked = world.command("check")
    equal(checked.status, 0)
    contains(checked.text, "every user of the machine can read")
    (world.folder / "elsewhere").write_text("inbox-secret-A")
    world.remove("secrets/polly-new")
    (world.folder / "secrets/polly-new").symlink_to("../elsewhere")
    checked = world.command("check")
    equal(checked.status, 1)
    contains(checked.text, "a link that leads out of secretsDirectory")
