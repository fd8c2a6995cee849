"""Which methods each kind of resource has, at each kind of listener (RFC 9110 §9, §10.2.1)."""
from harness.promises import Group, equal, holds
from harness.raw import place
from harness.tools import parse_head
from harness.wire import request
from harness.world import LIST, PATH, REST

group = Group("Raw: methods", place)
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
KINDS = {"a page": PATH, "a bridge's REST": REST, "the list of bridges": LIST}


def ask(place, listener, sent):
    with place.open(listener == "secure", getattr(place.server, listener)) as wire:
        return wire.send(sent).response(has_body=not sent.startswith(b"HEAD"))


@group.each("{}: what Allow lists is answered, all else is 405 with the same Allow, by TLS and without", KINDS)
def _(place, path):
    for listener in ("secure", "plain"):
        allowed = ask(place, listener, request(path, method="OPTIONS")).one("Allow").split(", ")
        equal(allowed, ["GET", "HEAD", "OPTIONS"])
        for method in METHODS:
            answer = ask(place, listener, request(path, method=method))
            equal(answer.status == 405, method not in allowed, f"{method} at {listener}")
            if answer.status == 405:
                equal(answer.one("Allow").split(", "), allowed)


@group.promise("a page at the redirect listener: GET and HEAD are sent to https, OPTIONS is answered, all else is 405")
def _(place):
    expected = {"GET": 308, "HEAD": 308, "OPTIONS": 204}
    for method in METHODS:
        answer = ask(place, "redirect", request(PATH, method=method))
        equal(answer.status, expected.get(method, 405), method)
        equal(answer.get("Location"), f"https://localhost{PATH}" if answer.status == 308 else None)


@group.promise("without Host, the redirect of HTTP/1.0 leads to the service's own host")
def _(place):
    answer = ask(place, "redirect", f"GET {PATH}?a HTTP/1.0\r\n\r\n".encode())
    equal((answer.status, answer.one("Location")), (308, f"https://pages.example{PATH}?a"))


@group.promise("TRACE and CONNECT are 405 with Allow wherever they lead, and echo nothing")
def _(place):
    for listener in ("secure", "plain", "redirect"):
        for sent in (request("/wrong", "localhost", "X-Canary: canary", method="TRACE"), request("/", "localhost",
        "X-Canary: canary", method="TRACE"),
                     request("localhost:443", "localhost", "X-Canary: canary", method="CONNECT")):
            answer = ask(place, listener, sent)
            equal(answer.status, 405)
            holds(answer.one("Allow") and b"canary" not in answer.head + answer.body, "no echo")


@group.promise("a path that leads nowhere is 404 for every other method")
def _(place):
    for method in METHODS[:-1]:
        equal(ask(place, "plain", request("/wrong", method=method)).status, 404, method)


@group.promise("OPTIONS of * lists what the service as a whole has, at every listener")
def _(place):
    for listener in ("secure", "plain", "redirect"):
        answer = ask(place, listener, request("*", method="OPTIONS"))
        equal((answer.status, answer.one("Allow"), answer.all("Content-Length")), (204, "GET, HEAD, POST, OPTIONS",
        []))


@group.promise("the admin listener answers OPTIONS of *, and CONNECT and TRACE, as the others do")
def _(place):
    for sent, status in ((request("*", method="OPTIONS"), 204), (request("a:1", method="CONNECT"), 405),
                         (request("/livez", method="TRACE"), 405), (request("/wrong", method="TRACE"), 405)):
        answer = ask(place, "admin", sent)
        equal((answer.status, answer.one("Allow")), (status, "GET, HEAD, OPTIONS"), sent)


@group.promise("plain HTTP on the port of TLS gets one clear 400, and HEAD its head alone")
def _(place):
    for method in ("GET", "HEAD", "BREW"):
        with place.open(False, place.server.secure) as wire:
            answer = wire.send(request(PATH, method=method) * 2).rest()
        head, _, content = answer.partition(b"\r\n\r\n")
        equal((parse_head(head).status, parse_head(head).one("Connection")), (400, "close"))
        equal(b"TLS" in content, method != "HEAD", method)
