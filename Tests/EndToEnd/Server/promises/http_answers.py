"""What GET, HEAD and the other methods answer (RFC 9110, RFC 9112, RFC 9457)."""
import json
import re

from harness.promises import Group, contains, equal, holds
from harness.wire import request
from harness.world import LIST, PATH, REST, serve

group = Group("Methods, paths and errors answer as the RFCs say", serve)


@group.promise("GET of a page answers 200, HTML in UTF-8, its length and a strong ETag")
def _(server):
    page = server.curl(PATH)
    equal((page.status, page.reason), (200, "OK"))
    equal(page.one("Content-Type"), "text/html; charset=utf-8")
    equal(int(page.one("Content-Length")), len(page.body))
    holds(re.fullmatch(r'"[0-9a-f]+"', page.one("ETag")), page.one("ETag"))
    equal(page.one("Cache-Control"), "no-cache")
    holds(page.body.startswith(b"<!doctype html>") and page.body.endswith(b"</html>\n"), "a whole page")


@group.promise("GET of REST answers tenant, bridge, enabled, pageURL, revision and config")
def _(server):
    answer = server.curl(REST)
    equal(answer.one("Content-Type"), "application/json")
    value = json.loads(answer.body)
    equal(sorted(value), ["bridge", "config", "enabled", "pageURL", "revision", "tenant"])
    equal(value["config"], {"loud": False, "region": "east", "word": "hello"})
    equal(value["pageURL"], "https://pages.example/polly/parrot.html")
    equal(answer.one("ETag"), f'"{value["revision"]}"')


@group.promise("a bridge without a page has no pageURL, and its list entry is its own answer")
def _(server):
    mute = json.loads(server.curl(LIST + "/mute").body)
    holds("pageURL" not in mute, str(mute))
    both = json.loads(server.curl(LIST).body)["bridges"]
    equal([entry["bridge"] for entry in both], ["mute", "parrot"])
    equal(both, [mute, json.loads(server.curl(REST).body)])


@group.each("HEAD of {} answers GET's head, byte for byte but for date and id, and no content",
            {"a page": PATH, "REST": REST, "the list": LIST, "a wrong path": "/nobody/parrot.html"})
def _(server, path):
    def stripped(answer):
        return re.sub(rb"\r\n(Date|X-Request-ID): [^\r]*", b"", answer.head)

    get, head = server.curl(path), server.curl(path, "--head")
    equal(stripped(head), stripped(get))
    equal(head.body, b"")


@group.promise("a connection is in step after HEAD, 304 and 204")
def _(server):
    with server.wire() as wire:
        tag = wire.get(PATH).one("ETag")
        wire.send(request(PATH, method="HEAD"))
        equal(wire.response(has_body=False).status, 200)
        equal(wire.get(PATH, "localhost", f"If-None-Match: {tag}").status, 304)
        equal(wire.send(request(PATH, method="OPTIONS")).response().status, 204)
        equal(wire.get(REST).status, 200)


@group.promise("every answer has one Date in the format of RFC 9110 §5.6.7")
def _(server):
    pattern = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT"
    for path in (PATH, REST, "/nothing"):
        holds(re.fullmatch(pattern, server.curl(path).one("Date")), path)


@group.each("{} is a 404 with problem details", {
    "a wrong tenant": "/nobody/parrot.html", "a wrong page": "/polly/wrong.html", "the root": "/", "a tenant's folder": "/polly/",
    "a wrong bridge": LIST + "/wrong", "a path with a slash too many": PATH + "/", "another case": "/Polly/parrot.html",
    "a script of a page": "/parrot.js", "a config file": "/config/tenants/polly.json"})
def _(server, path):
    answer = server.curl(path)
    equal(answer.status, 404)
    equal(answer.one("Content-Type"), "application/problem+json")
    problem = json.loads(answer.body)
    equal((problem["status"], problem["title"], problem["type"]), (404, "Not Found", "about:blank"))
    equal(answer.one("Cache-Control"), "no-store")


@group.promise("a missing tenant and a missing bridge look alike")
def _(server):
    equal(server.curl("/api/v1/tenants/nobody/bridges/parrot").body, server.curl(LIST + "/nothing").body)


@group.each("{} on a page is 405 and says in Allow what it has",
            {method: method for method in ("POST", "PUT", "DELETE", "PATCH", "TRACE")})
def _(server, method):
    answer = server.curl(PATH, "--request", method)
    equal(answer.status, 405)
    equal(answer.one("Allow"), "GET, HEAD, OPTIONS")
    equal(answer.one("Content-Type"), "application/problem+json")


@group.each("{} is 501: not a method that the service knows",
            {"BREW": "BREW", "get in small letters": "get", "XYZZY": "XYZZY"})
def _(server, method):
    answer = server.curl(PATH, "--request", method)
    equal(answer.status, 501)
    equal(json.loads(answer.body)["status"], 501)


@group.promise("OPTIONS of a page, and of *, is 204 with Allow and no content")
def _(server):
    page = server.curl(PATH, "--request", "OPTIONS")
    service = server.curl("/", "--request", "OPTIONS", "--request-target", "*")
    for answer, methods in ((page, "GET, HEAD, OPTIONS"), (service, "GET, HEAD, POST, OPTIONS")):
        equal((answer.status, answer.body), (204, b""))
        equal(answer.one("Allow"), methods)
        equal(answer.all("Content-Length"), [], "RFC 9110 §8.6 forbids it in a 204")


@group.each("{} is 505", {"HTTP/2.0": "HTTP/2.0", "HTTP/0.9": "HTTP/0.9", "HTTP/3.7": "HTTP/3.7"})
def _(server, version):
    with server.wire() as wire:
        answer = wire.send(request(PATH, version=version)).response()
        equal(answer.status, 505)
        equal(answer.one("Connection"), "close")
        holds(wire.ends(), "the connection ends after it")


@group.each("{} is 400", {
    "a slash in disguise": "/polly%2Fparrot.html", "a backslash in disguise": "/polly%5Cparrot.html",
    "NUL": "/polly/parrot.html%00", "a dot segment": "/polly/../polly/parrot.html",
    "a dot segment in disguise": "/polly/%2e%2e/polly/parrot.html", "bad hex": "/polly/%zz", "no UTF-8": "/polly/%ff"})
def _(server, path):
    equal(server.curl(path, "--path-as-is").status, 400)


@group.promise("percent-encoding is decoded once, and a query changes nothing")
def _(server):
    equal(server.curl("/p%6Flly/p%61rrot.html?lang=en&x=%00").status, 200)
    equal(server.curl("/p%256Flly/parrot.html").status, 404)


@group.each("refused, and the connection ended: {}", {
    "a request without Host": (b"GET / HTTP/1.1\r\n\r\n", 400),
    "two Hosts": (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    "a space before a field's colon": (b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
    "a folded field": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n", 400),
    "a bare LF": (b"GET / HTTP/1.1\nHost: localhost\n\n", 400),
    "Content-Length beside Transfer-Encoding":
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    "two Content-Lengths": (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n", 400),
    "a target that is too long": (b"GET /" + b"a" * 9_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
    "a head that is too large": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 20_000 + b"\r\n\r\n", 431),
    "content that is too large": (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n", 413),
    "a strange expectation": (b"GET / HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n", 417)})
def _(server, case):
    sent, status = case
    with server.wire() as wire:
        answer = wire.send(sent).response()
        equal(answer.status, status)
        equal(answer.one("Connection"), "close")
        contains(answer.one("Content-Type"), "problem+json")
        holds(wire.ends(), "the connection ends after it")


@group.promise("nothing that a client sends comes back in an error")
def _(server):
    answer = server.curl("/nobody/<script>alert(1)</script>?canary", "--path-as-is", "--header", "X-Canary: canary")
    holds(b"canary" not in answer.body + answer.head and b"script" not in answer.body, str(answer.body))
