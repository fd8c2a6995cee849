"""Config for pages of other origins (Fetch, CORS protocol): only those that the tenant lists, and only config."""
from harness.promises import Group, equal, holds
from harness.signing import HOST, SigningWorld, door

ORIGINS = ["capacitor://localhost", "ionic://localhost", "https://localhost", "null"]
PATHS = {"one bridge": "/api/v1/tenants/polly/bridges/signer", "all bridges": "/api/v1/tenants/polly/bridges"}


def listed():
    with SigningWorld(origins=ORIGINS).start() as server:
        yield server


group = Group("CORS", listed)


def fields_of_cors(answer):
    return [name for name, _ in answer.fields if name.lower().startswith("access-control")]


def ask(server, path, origin, *options, host="localhost"):
    return server.curl(path, "--header", f"Origin: {origin}", *options, host=host)


@group.each("config of {} is for the origins that the tenant lists, exactly", PATHS)
def _(server, path):
    for origin in ORIGINS:
        answer = ask(server, path, origin)
        equal((answer.status, answer.one("Access-Control-Allow-Origin")), (200, origin))
        equal(answer.one("Vary"), "Origin, Accept-Encoding")
        equal(answer.one("Access-Control-Expose-Headers"), "ETag, X-Request-ID")
    for origin in ("https://localhost:8443", "http://localhost", "https://LOCALHOST", "https://localhost/", "*",
                   "https://evil.example", "https://localhost.evil.example", "capacitor://localhost,ionic://localhost"):
        answer = ask(server, path, origin)
        equal((answer.status, fields_of_cors(answer)), (200, []), origin)
        equal(answer.one("Vary"), "Origin, Accept-Encoding")


@group.promise("also gzipped, unchanged and for HEAD, with the same tags as without an origin")
def _(server):
    path = PATHS["one bridge"]
    for coding in ([], ["--header", "Accept-Encoding: gzip"]):
        tag = server.curl(path, *coding).one("ETag")
        answer = ask(server, path, ORIGINS[0], *coding)
        equal((answer.one("ETag"), answer.get("Content-Encoding")), (tag, "gzip" if coding else None))
        unchanged = ask(server, path, ORIGINS[0], *coding, "--header", f"If-None-Match: {tag}")
        equal((unchanged.status, unchanged.one("Access-Control-Allow-Origin")), (304, ORIGINS[0]))
        equal(unchanged.one("Vary"), "Origin, Accept-Encoding")
    equal(ask(server, path, ORIGINS[0], "--head").one("Access-Control-Allow-Origin"), ORIGINS[0])


@group.promise("a preflight for If-None-Match is granted to them and to nobody else")
def _(server):
    options = ["--request", "OPTIONS", "--header", "Access-Control-Request-Method: GET",
               "--header", "Access-Control-Request-Headers: if-none-match"]
    for path in PATHS.values():
        answer = ask(server, path, ORIGINS[1], *options)
        equal((answer.status, answer.one("Access-Control-Allow-Origin")), (204, ORIGINS[1]))
        equal(answer.one("Access-Control-Allow-Methods"), "GET, HEAD")
        equal(answer.one("Access-Control-Allow-Headers"), "If-None-Match")
        holds(int(answer.one("Access-Control-Max-Age")) > 0, "kept for a while")
        equal(fields_of_cors(ask(server, path, "https://evil.example", *options)), [])


@group.promise("tenants that list none grant none, and null only where it is listed")
def _(server):
    for origin in ORIGINS:
        answer = ask(server, "/api/v1/tenants/rival/bridges/signer", origin)
        equal((answer.status, fields_of_cors(answer), answer.one("Vary")), (200, [], "Origin, Accept-Encoding"))


@group.promise("it holds at a tenant's host too")
def _(server):
    equal(ask(server, "/api/v1/bridges/signer", ORIGINS[0], host=HOST).one("Access-Control-Allow-Origin"), ORIGINS[0])


@group.promise("pages, identities and the description take no part")
def _(server):
    preflight = ["--request", "OPTIONS", "--header", "Access-Control-Request-Method: POST",
                 "--header", "Access-Control-Request-Headers: authorization,content-type"]
    for path, options in (("/polly/parrot.html", []), ("/api/v1/openapi.json", []), (door(), preflight),
                          (door(), ["--request", "POST"]), (door("nobody"), preflight)):
        equal(fields_of_cors(ask(server, path, ORIGINS[0], *options)), [], path)
