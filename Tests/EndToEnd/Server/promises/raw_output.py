"""Nothing that a client sends can forge a line of output, or move a terminal's cursor."""
import re

from harness.promises import Group, equal, holds
from harness.raw import place
from harness.wire import Wire, client_hello, request
from harness.world import PATH, World

group = Group("Raw: what the service prints", place)
CONTROLS = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]"
FORGED = b"\r\nready\r\n\x1b[2J\x1b]0;forged\x07\x00\x7f\xc2\x9b2J\xe2\x80\xa8forged\xe2\x80\xae"
REPORT = rb'''{"csp-report": {"document-uri": "https://localhost/polly/parrot.html\u000aready",
"effective-directive": "script-src", "disposition": "enforce", "blocked-uri": "https://a\u001b[2J\u009b\u202ef"}}'''
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
                        f"Content-Length: {len(REPORT)}", method="POST") + REPORT,
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
    equal([line for line in new if re.search(CONTROLS, line)], [], "raw")
    equal([line for line in new if re.match(r"ready|forged", line)], [], "forged")


@group.promise("nor do they in the name that a client gives in its TLS handshake")
def _(place):
    server, mark = place.server, place.server.mark()
    hello = client_hello("localhost")
    with Wire(server.secure) as wire:
        wire.send(hello.replace(b"localhost", b"\r\nforg\x1b[2")).socket.recv(1)
    server.reload()
    equal([line for line in server.lines[mark:] if "forg" in line or re.search(CONTROLS, line)], [])


@group.promise("nor do names of files, whoever chose them: a problem shows their controls as numbers")
def _():
    world = World()
    world.write("config/tenants/a\nready\x1b[2J\u009b\u202e.json", "{}")
    ended = world.command("check")
    lines = ended.text.split("\n")
    equal([line for line in lines if re.search(CONTROLS, line) or line.startswith("ready")], [], ended.text)
    holds(any(r"a\u{a}ready\u{1b}[2J\u{9b}\u{202e}.json" in line for line in lines), ended.text)
