"""Nothing that a client sends can forge a line of output, or move a terminal's cursor."""
import re

from harness.promises import Group, equal, holds
from harness.raw import place
from harness.wire import request
from harness.world import PATH

group = Group("Raw: what the service prints", place)
FORGED = b"\r\nready\r\n\x1b[2J\x1b]0;forged\x07\x00\x7f\xc2\x9b2J\xe2\x80\xa8forged\xe2\x80\xae"
PLACES = {
    "the method": FORGED + b" / HTTP/1.1\r\n\r\n",
    "the target": b"GET /" + FORGED + b" HTTP/1.1\r\n\r\n",
    "the target, encoded": b"GET /%0d%0aready%1b%5b2J%c2%9b%e2%80%aeforged HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "the query": request(PATH + "?%0d%0aready%0d%0aforged"),
    "Host": b"GET / HTTP/1.1\r\nHost: " + FORGED + b"\r\n\r\n",
    "a name": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + FORGED + b": a\r\n\r\n",
    "a value": b"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: \xc2\x9b2J\xe2\x80\xa8forged\xe2\x80\xae\r\n\r\n",
    "an address": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \xc2\x9b2Jforged, 1.2.3.4\r\n\r\n",
    "content": request(PATH, "localhost", f"Content-Length: {len(FORGED)}", method="POST") + FORGED,
    "a report": request("/reports/polly/parrot", "localhost", "Content-Type: application/csp-report",
                        f"Content-Length: {len(FORGED)}", method="POST") + FORGED,
}


@group.promise("bytes that a client sends, wherever it puts them, reach the output neither raw nor as a line")
def _(place):
    server = place.server
    before = [line for line in server.lines]
    for sent in PLACES.values():
        for port in (server.secure, server.plain, server.redirect, server.admin):
            with place.open(port == server.secure, port) as wire:
                wire.send(sent + request(PATH, "localhost", "Connection: close")).rest()
    server.reload()
    new = server.lines[len(before):]
    equal([line for line in new if re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]", line)], [], "raw")
    equal([line for line in new if re.match(r"ready|forged", line)], [], "forged")


@group.promise("nor do they in the name that a client gives in its TLS handshake")
def _(place):
    server, mark = place.server, place.server.mark()
    for name in ("forged.example", "a" * 63 + ".example", "xn--forged"):
        with server.wire(name="localhost") as wire:
            equal(wire.get(PATH, name).status, 421)
    server.reload()
    holds(not any("forged" in line for line in server.lines[mark:]), server.output)
