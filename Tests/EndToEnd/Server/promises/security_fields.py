"""Every answer of every listener, whatever its status, is safe to open anywhere."""
import re

from harness.promises import Group, equal, holds
from harness.tools import curl
from harness.wire import Wire, request
from harness.world import LIST, PATH, REST, World

LOCKED = "default-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'"


def three_listeners():
    world = World(
        listeners=[{"address": "127.0.0.1", "port": 0, "tls": True},
                   {"address": "127.0.0.1", "port": 0, "redirect": True},
                   {"address": "127.0.0.1", "port": 0, "tls": False}],
        hosts=["pages.example", "uncovered.example"], publicBaseURL=None)
    with world.start() as server:
        yield server


group = Group("Security fields of every answer", three_listeners)


def get(path, *fields, host="localhost", method="GET", version="HTTP/1.1"):
    return request(path, host, *fields, method=method, version=version)


# A name, the bytes that are sent, and the status that each kind of listener answers them with.
SECURE = {
    "page 200": (get(PATH), 200), "page gzip 200": (get(PATH, "Accept-Encoding: gzip"), 200),
    "page 304": (get(PATH, "If-None-Match: *"), 304), "page HEAD": (get(PATH, method="HEAD"), 200),
    "REST 200": (get(REST), 200), "REST 304": (get(REST, "If-None-Match: *"), 304), "list 200": (get(LIST), 200),
    "OPTIONS 204": (get(PATH, method="OPTIONS"), 204), "400": (b"nonsense\r\n\r\n", 400),
    "404": (get("/wrong"), 404), "405": (get(PATH, method="POST"), 405),
    "413": (get(PATH, "Content-Length: 999999999", method="POST"), 413), "414": (get("/" + "a" * 9_000), 414),
    "417": (get(PATH, "Expect: x"), 417), "421": (get(PATH, host="stranger.example"), 421),
    "431": (get(PATH, "X: " + "a" * 20_000), 431), "501": (get(PATH, method="BREW"), 501),
    "505": (get(PATH, version="HTTP/2.0"), 505)}
REDIRECT = {
    "308": (get(PATH), 308), "REST refused 403": (get(REST), 403), "404": (get("/wrong"), 404),
    "405": (get(PATH, method="POST"), 405), "421": (get(PATH, host="stranger.example"), 421),
    "400": (b"nonsense\r\n\r\n", 400), "501": (get(PATH, method="BREW"), 501)}
ADMIN = {
    "/livez": (get("/livez"), 200), "/readyz": (get("/readyz"), 200), "/tenants": (get("/tenants"), 200),
    "404": (get(PATH), 404), "405": (get("/livez", method="POST"), 405), "400": (b"nonsense\r\n\r\n", 400),
    "501": (get("/livez", method="BREW"), 501)}


def ask(server, listener, sent):
    wire = server.wire() if listener == "secure" else Wire(getattr(server, listener))
    with wire:
        return wire.send(sent).response(has_body=not sent.startswith(b"HEAD"))


def check(answer, secure):
    equal(len(answer.all("Content-Security-Policy")), 1, "policies")
    equal(answer.all("X-Content-Type-Options"), ["nosniff"])
    holds(answer.get("Referrer-Policy") in ("no-referrer", "strict-origin-when-cross-origin"), "a Referrer-Policy")
    equal(answer.one("Cross-Origin-Resource-Policy"), "same-origin")
    equal(answer.all("Strict-Transport-Security"), ["max-age=31536000"] if secure else [])
    for banner in ("Server", "X-Powered-By", "Via", "Set-Cookie", "Access-Control-Allow-Origin"):
        equal(answer.all(banner), [], banner)
    names = [name.lower() for name, _ in answer.fields]
    equal(len(names), len(set(names)), f"no field twice in {names}")
    if answer.body and answer.status >= 400:
        equal(answer.one("Content-Type"), "application/problem+json")


def promise_all(listener, title, cases, secure):
    @group.each(title + ": {} has exactly one policy, nosniff, no banner, " + ("HSTS" if secure else "no HSTS"), cases)
    def _(server, case):
        sent, status = case
        answer = ask(server, listener, sent)
        equal(answer.status, status)
        check(answer, secure)


promise_all("secure", "https", SECURE, True)
promise_all("plain", "http behind a proxy", SECURE, False)
promise_all("redirect", "redirect", REDIRECT, False)
promise_all("admin", "admin", ADMIN, False)


@group.promise("all but pages have the policy that allows nothing at all")
def _(server):
    for listener, cases in (("secure", SECURE), ("redirect", REDIRECT), ("admin", ADMIN)):
        for name, (sent, _) in cases.items():
            if not name.startswith("page"):
                equal(ask(server, listener, sent).one("Content-Security-Policy"), LOCKED, name)


@group.promise("a page opens with default-src 'none' and names each directive once")
def _(server):
    policy = server.curl(PATH).one("Content-Security-Policy")
    directives = [part.split(" ")[0] for part in policy.split("; ")]
    equal(len(directives), len(set(directives)), policy)
    for line in ("default-src 'none'", "base-uri 'none'", "object-src 'none'", "form-action 'none'",
                 "frame-ancestors 'none'", "report-uri /reports/polly/parrot", "report-to bridgehost"):
        holds(line in policy.split("; "), f"{line} in {policy}")
    holds(re.search(r"script-src 'sha256-[A-Za-z0-9+/]{43}=' 'strict-dynamic'", policy), policy)


@group.promise("a page has opener policy, referrer policy, reporting endpoint and a denying Permissions-Policy")
def _(server):
    page = server.curl(PATH)
    equal(page.one("Cross-Origin-Opener-Policy"), "same-origin-allow-popups")
    equal(page.one("Referrer-Policy"), "strict-origin-when-cross-origin")
    equal(page.one("Reporting-Endpoints"), 'bridgehost="/reports/polly/parrot"')
    holds("microphone=()" in page.one("Permissions-Policy").split(", "), page.one("Permissions-Policy"))
    holds("*" not in page.one("Permissions-Policy"), "nothing for everyone")


@group.promise("the redirect keeps host, path and query and is final: 308 to https on the port of https")
def _(server):
    answer = curl(f"http://127.0.0.1:{server.redirect}{PATH}?a=b&c=%20d", "--header", "Host: pages.example:1234")
    equal(answer.status, 308)
    equal(answer.one("Location"), f"https://pages.example:{server.secure}{PATH}?a=b&c=%20d")


@group.promise("curl follows the redirect from http to the page")
def _(server):
    port = server.redirect
    answer = curl(f"http://localhost:{port}{PATH}", "--location", "--cacert", server.ca, "--output", "/dev/null",
                  "--write-out", "HTTP/1.1 200 followed\r\nX: %{http_code} %{num_redirects}\r\n\r\n", "--no-include")
    equal(answer.one("X"), "200 1")


@group.promise("data is never redirected: REST in the clear is refused with 403")
def _(server):
    for path in (REST, LIST):
        answer = curl(f"http://localhost:{server.redirect}{path}")
        equal((answer.status, answer.all("Location")), (403, []))


@group.promise("a redirect never goes to a host that is not served")
def _(server):
    answer = curl(f"http://localhost:{server.redirect}{PATH}", "--header", "Host: evil.example")
    equal((answer.status, answer.all("Location")), (421, []))


@group.promise("admin paths are on no public listener, and public paths not on admin's")
def _(server):
    for path in ("/livez", "/readyz", "/tenants", "/metrics"):
        equal(server.curl(path).status, 404, path)
        equal(curl(f"http://localhost:{server.redirect}{path}").status, 404, path)
        equal(curl(f"http://localhost:{server.plain}{path}").status, 404, path)
    for path in (PATH, REST, LIST):
        equal(server.ask_admin(path).status, 404, path)


@group.promise("admin answers under any host name: a probe knows only an address")
def _(server):
    for host in ("10.0.0.7:9000", "anything.example", "localhost"):
        equal(server.ask_admin("/livez", "--header", f"Host: {host}").status, 200, host)
