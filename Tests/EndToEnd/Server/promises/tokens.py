"""Tokens: how they are made, which doors they open, what is told to those without, and that no secret is ever shown."""
import base64
import json
import re

from harness.promises import Group, contains, equal, holds
from harness.signing import HOST, KEYS, OWN_DOOR, SigningWorld, door, make_token, sign
from harness.tools import curl
from harness.world import World, shop

CHALLENGE = 'Bearer realm="bridgehost"'
INVALID = CHALLENGE + ', error="invalid_token"'


def tenants():
    world = SigningWorld()
    with world.start() as server:
        yield server, world


group = Group("Tokens", tenants)


@group.promise("token prints 256 random bits once, then the line for access.tokens, others each time")
def _(_):
    pairs = [make_token() for _ in range(3)]
    equal(len({token for token, _ in pairs}), 3)
    for token, digest in pairs:
        equal(len(base64.urlsafe_b64decode(token + "=")), 32)
        holds(re.fullmatch(r"[A-Za-z0-9_-]{43}", token), token)
        holds(re.fullmatch(r"sha256:[0-9a-f]{64}", digest), digest)


@group.promise("each of a tenant's tokens opens its door, and no other tenant's does")
def _(given):
    server, world = given
    doors = {"polly": (door("polly"), "localhost"), "rival": (door("rival"), "localhost"), "hosted": (OWN_DOOR, HOST)}
    for tenant, (path, host) in doors.items():
        for name, token in world.tokens.items():
            answer = sign(server, {"visitor": "a"}, token, path=path, host=host)
            equal(answer.status, 200 if name.split("-")[0] == tenant else 401, f"{name} at {tenant}")
            if answer.status == 401:
                equal(answer.one("WWW-Authenticate"), INVALID)


@group.promise("without a token the answer is 401 with a challenge that names no error")
def _(given):
    server, _ = given
    for field in (None, "Authorization: Basic dXNlcjpwYXNz", "Authorization: token"):
        answer = sign(server, {"visitor": "a"}, None, *(["--header", field] if field else []))
        equal((answer.status, answer.one("WWW-Authenticate"), answer.one("Cache-Control")), (401, CHALLENGE, "no-store"))


@group.promise("whoever has no token of that tenant gets one answer for all tenants, bridges and contents")
def _(given):
    server, world = given
    paths = [door(), door("keyless"), door("hosted"), door("nobody"), door(bridge="parrot"), door(bridge="nothing"),
             door() + "?kid=polly-new", door() + "?x"]
    for token in (world.tokens["rival"], "guess", None):
        answers = [sign(server, content, token, path=path, kind=kind) for path in paths
                   for content, kind in (({"visitor": "a"}, "application/json"), (b"none", "text/plain"))]
        shapes = {(a.status, a.body, tuple((n, v) for n, v in a.fields if n not in ("Date", "X-Request-ID"))) for a in answers}
        equal(len(shapes), 1, f"answers to {token}")


@group.promise("the scheme is read in any case, the token in its own")
def _(given):
    server, world = given
    token = world.tokens["polly"]
    for field, status in ((f"bearer {token}", 200), (f"BEARER {token}", 200), (f"Bearer {token.swapcase()}", 401),
                          (f"Bearer {token}x", 401), (f"Bearer {token} x", 401), (f"Bearer {token[:-1]}", 401)):
        equal(sign(server, {"visitor": "a"}, None, "--header", f"Authorization: {field}").status, status, field)


@group.promise("a token that the file no longer lists is shut out by SIGHUP, the other goes on")
def _():
    world = SigningWorld()
    with world.start() as server:
        world.signer("polly", ["polly-new"], ["polly-second"])
        server.reload()
        equal(sign(server, {"visitor": "a"}, world.tokens["polly"]).status, 401)
        equal(sign(server, {"visitor": "a"}, world.tokens["polly-second"]).status, 200)


limits = Group("Rates of identities")


@limits.promise("too many failures are 429 with Retry-After, a valid token still signs, a reload forgives nothing")
def _():
    world = SigningWorld(limits={"failuresPerMinutePerAddress": 3})
    with world.start() as server:
        equal([sign(server, {"visitor": "a"}, "guess").status for _ in range(4)], [401, 401, 401, 429])
        server.reload()
        answer = sign(server, {"visitor": "a"}, None)
        equal((answer.status, answer.one("Retry-After")), (429, "20"))
        equal(sign(server, {"visitor": "a"}, world.tokens["polly"]).status, 200)


@limits.promise("too many requests of one tenant are 429, of another tenant none")
def _():
    world = SigningWorld(limits={"identitiesPerSecond": 1, "identitiesPerSecondPerAddress": 1_000_000})
    with world.start() as server, server.wire() as wire:
        def ask(tenant):
            lines = [f"POST {door(tenant)} HTTP/1.1", "Host: localhost", "Content-Type: application/json",
                     f"Authorization: Bearer {world.tokens[tenant]}", "Content-Length: 15", "", '{"visitor":"a"}']
            return "\r\n".join(lines).encode()

        # All of them in one piece: the clock may allow one more on the way, not nineteen.
        wire.send(ask("polly") * 20 + ask("rival"))
        answers = [wire.response() for _ in range(21)]
        statuses = [answer.status for answer in answers]
        equal(statuses[0], 200)
        holds(statuses[:20].count(429) >= 15, statuses)
        equal(statuses[20], 200, "the other tenant")
        equal(next(a for a in answers if a.status == 429).one("Retry-After"), "1")


secrets = Group("No secret is shown")


def forms(secret):
    raw = secret.encode()
    coded = {raw, raw.hex().encode(), base64.b64encode(raw).rstrip(b"="), base64.urlsafe_b64encode(raw).rstrip(b"=")}
    return {form.lower() for form in coded}


@secrets.promise("pages, REST, problems, admin, output, check, render and schema have no key and no token in any form")
def _():
    world = SigningWorld(origins=["capacitor://localhost"])
    heard = []
    with world.start() as server:
        for tenant, token in [*((t, world.tokens.get(t)) for t in ("polly", "rival", "keyless", "hosted")), ("polly", "guess")]:
            for content in ({"visitor": "a"}, {"visitor": ""}, b"{", {"visitor": "a", "x": 1}):
                heard.append(sign(server, content, token, path=door(tenant)))
        for path in ("/polly/parrot.html", "/rival/parrot.html", "/api/v1/openapi.json", "/nothing",
                     *(f"/api/v1/tenants/{t}/bridges{b}" for t in ("polly", "rival", "keyless") for b in ("", "/signer", "/parrot"))):
            heard.append(server.curl(path, "--header", f"Authorization: Bearer {world.tokens['polly']}"))
        for path in ("/parrot.html", "/api/v1/bridges", "/api/v1/openapi.json"):
            heard.append(server.curl(path, host=HOST))
        heard += [server.ask_admin(path) for path in ("/livez", "/readyz", "/tenants", "/metrics", "/nothing")]
        heard.append(curl(f"http://localhost:{server.plain}/api/v1/tenants/polly/bridges"))
        # Every way in which a key's file or a token's line can be wrong.
        world.secret("polly-new", KEYS["polly-new"] + "\n" + KEYS["polly-old"])
        world.secret("rival", KEYS["rival"], mode=0o644)
        server.reload()
        broken = json.loads((world.config / "tenants/keyless.json").read_text())
        for identity in ({"secrets": [{"kid": KEYS["polly-new"] + " ", "file": KEYS["polly-new"]}]}, KEYS["polly-new"],
                         {"secrets": KEYS["polly-new"]}, {"secrets": [KEYS["polly-new"]]}):
            broken["bridges"]["signer"]["identity"] = identity
            broken["access"]["tokens"] = [world.tokens["keyless"]]
            world.write("config/tenants/keyless.json", broken)
            server.reload()
            told = world.command("check")
            contains(told.text, "not shown, as it may be a secret")
            heard.append(told.text.encode())
        for access in ({"tokens": world.tokens["keyless"]}, world.tokens["keyless"], {"tokens": [{"a": world.tokens["keyless"]}]}):
            world.write("config/tenants/keyless.json", {**broken, "access": access})
            heard.append(world.command("check").text.encode())
        output = server.output.encode()
    heard += [output, world.command("render", "polly", "parrot").text.encode()]
    out = world.folder / "schemas"
    world.command("schema", "--out", out)
    heard += [file.read_bytes() for file in out.iterdir()]
    texts = [(one if isinstance(one, bytes) else one.head + one.body).lower() for one in heard]
    holds(len(texts) > 40 and any(b"proof" in text for text in texts), "something was heard")
    for name, secret in [*KEYS.items(), *world.tokens.items()]:
        for form in forms(secret):
            for text in texts:
                holds(form not in text, f"{name} as {form!r} in {text[:300]!r}")
