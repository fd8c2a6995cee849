"""The access log: true, unforgeable, without secrets, whole over a rotation, and never a burden to those who are served."""
import json
import random
import re
import signal

from harness.load import Load
from harness.promises import Group, contains, equal, eventually, holds
from harness.signing import SigningWorld, door
from harness.tools import run
from harness.wire import Wire, request
from harness.world import BOTH, PATH, REST, shop, World

DROPPED = "bridgehost_access_log_dropped_total"
# Long enough that a megabyte of such requests is soon told of.
LONG = "/" + "x" * 1_000


class Logged:
    """A world that writes an access log, and its server."""

    def __init__(self, access="file", world=World, settings=None, **log):
        self.world = world(listeners=BOTH, **(settings or {}))
        self.file = self.world.folder / "access.log"
        self.log = {"access": str(self.file) if access == "file" else access, "format": "json", **log}
        settings = {**self.world.settings, "log": self.log}
        self.world.write("config/server.json", settings)

    def __enter__(self):
        self.server = self.world.start()
        return self

    def __exit__(self, *_):
        self.server.kill()

    def lines(self, file=None):
        file = file or self.file
        return file.read_bytes().decode().splitlines() if file.exists() else []

    def line(self, word):
        """The one line with a word, once it is written."""
        eventually(lambda: any(word in line for line in self.lines()), f"a line with {word}")
        found = [line for line in self.lines() if word in line]
        equal(len(found), 1, f"lines with {word}")
        return found[0]


def in_json():
    with Logged() as logged:
        yield logged


group = Group("Access log", in_json)


@group.promise("it is off unless told, and nothing is printed of who asked")
def _():
    with World().start() as server:
        mark = server.mark()
        for path in (PATH, "/nothing"):
            server.curl(path)
        server.reload()
        equal([line for line in server.lines[mark:] if "/nothing" in line or "127.0.0.1" in line], [])


@group.promise("a line in JSON has the id that the answer has, who asked for what, what came of it, and whose it was")
def _(logged):
    server = logged.server
    answer = server.curl(PATH + "?a=b", "--header", "User-Agent: curl/x", "--header", "Referer: https://app.example/")
    line = json.loads(logged.line(answer.one("X-Request-ID")))
    holds(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time")), "the time")
    holds(0 <= line.pop("duration") < 10, "the duration in seconds")
    equal(line.pop("bytes"), len(answer.head) + 4 + len(answer.body))
    equal(line, {
        "requestID": answer.one("X-Request-ID"), "client": "127.0.0.1", "method": "GET", "host": "localhost",
        "path": PATH, "status": 200, "tenant": "polly", "bridge": "parrot", "tls": "1.3", "userAgent": "curl/x",
        "referrer": "https://app.example/"})


@group.promise("what is no request has a line too, without method and path; a client's own id is told")
def _(logged):
    with Wire(logged.server.plain) as wire:
        answer = wire.send(b"nonsense\r\n\r\n").response()
    line = json.loads(logged.line(answer.one("X-Request-ID")))
    equal((line["status"], line["tenant"], "method" in line, "path" in line), (400, "none", False, False))
    with Wire(logged.server.plain) as wire:
        wire.get("/nothing", "localhost", "X-Request-ID: own-1")
    line = json.loads(logged.line("own-1"))
    equal((line["requestID"], line["status"], "tls" in line), ("own-1", 404, False))


@group.promise("behind a proxy that is trusted it tells the client that the proxy tells of")
def _():
    with Logged(settings={"trustedProxies": ["127.0.0.1"]}) as logged:
        with Wire(logged.server.plain) as wire:
            wire.get(REST, "localhost", "X-Forwarded-For: 198.51.100.7", "X-Request-ID: of-a-proxy")
        equal(json.loads(logged.line("of-a-proxy"))["client"], "198.51.100.7")


@group.promise("in text it is the Combined Log Format, with the bytes of the content")
def _():
    with Logged(format="text") as logged:
        answer = logged.server.curl(PATH + "?a=b", "--header", 'User-Agent: a"b\\', "--header", "Referer: https://app.example/")
        equal(answer.status, 200)
        line = logged.line("parrot.html")
        match = re.fullmatch(r'127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET (\S+) HTTP/1\.1" 200 (\d+) '
                             r'"https://app\.example/" "a\\x22b\\x5C"', line)
        holds(match, line)
        equal((match[1], int(match[2])), (PATH, len(answer.body)))


@group.promise("no token, no content, no field but two and no query is ever in it; queries only if they are wanted")
def _():
    for wanted in (False, True):
        with Logged(world=SigningWorld, query=wanted) as logged:
            token = logged.world.tokens["polly"]
            answer = logged.server.curl(
                door() + "?kid=polly-old", "--header", f"Authorization: Bearer {token}", "--header", "Cookie: c=COOKIE",
                "--header", "X-Secret: FIELD", "--header", "Referer: https://u:USER@a.example/?q=REFERER", "--json",
                '{"visitor":"VISITOR"}')
            equal(answer.status, 200)
            logged.server.curl(door() + "?kid=polly-old", "--header", "Authorization: Basic BASIC", "--json", "{}")
            logged.line('"status":401')
            text = "\n".join(logged.lines())
            for secret in (token, "BASIC", "COOKIE", "FIELD", "VISITOR", "inbox-secret", answer.body.decode()):
                holds(secret not in text, f"{secret} is not there")
            for part in ("polly-old", "REFERER", "USER"):
                equal(part in text, wanted, f"{part} is there")


@group.promise("whatever bytes clients send, each line is one JSON object of less than 4 KiB")
def _(logged):
    chance = random.Random(2)
    pool = [byte for byte in range(256) if byte not in (0x0D, 0x0A)]
    count = 0
    for _ in range(300):
        noise = bytes(chance.choices(pool, k=chance.choice([1, 9, 200, 3_000])))
        fields = b"User-Agent: %b\r\nReferer: %b\r\nX-Request-ID: %b\r\n" % (noise, noise[::-1], noise[:9])
        with Wire(logged.server.plain) as wire:
            path = b"/noise" + bytes(byte for byte in noise if 0x20 < byte < 0x7F and byte != 0x23)
            wire.send(b"GET %b HTTP/1.1\r\nHost: localhost\r\n%b\r\n" % (path, fields)).response()
            count += 1
    eventually(lambda: sum('"status":4' in line for line in logged.lines()) >= count, "all are told")
    for raw in logged.file.read_bytes().split(b"\n")[:-1]:
        holds(len(raw) < 4_096, "less than 4 KiB")
        equal(type(json.loads(raw)), dict)
        holds(all(0x20 <= ord(letter) != 0x7F and not 0x80 <= ord(letter) < 0xA0 for letter in raw.decode()), "no control")


@group.promise("renamed under load and opened again by SIGUSR1, it goes on in a new file, and no line is lost")
def _():
    with Logged() as logged, Load(logged.server) as load:
        old = logged.file.with_suffix(".1")
        for number in range(3):
            eventually(lambda: len(logged.lines()) > 5, "lines are written")
            logged.file.rename(old.with_suffix(f".{number}"))
            mark = logged.server.mark()
            logged.server.signal(signal.SIGUSR1)
            logged.server.wait_line(r"access log: opened .*access\.log again", since=mark)
        eventually(lambda: logged.lines(), "lines go on")
        load.ended.set()
        for thread in load.threads:
            thread.join(20)
        logged.server.signal(signal.SIGTERM)
        equal(logged.server.wait_end(), 0)
        files = [logged.file, *(old.with_suffix(f".{number}") for number in range(3))]
        holds(all(logged.lines(file) for file in files), "each file has lines")
        told = [json.loads(line) for file in files for line in logged.lines(file)]
        equal(len(told), len(load.requests), "as many lines as answers")
        equal(len({line["requestID"] for line in told}), len(told))


@group.promise("a stop writes every line that is due")
def _():
    with Logged() as logged:
        with Wire(logged.server.plain) as wire:
            wire.send(request(REST) * 2_000)
            for _ in range(2_000):
                wire.response()
        logged.server.signal(signal.SIGTERM)
        equal(logged.server.wait_end(), 0)
        equal(len(logged.lines()), 2_000)


def flood(server, count=6_000):
    """Requests of which more is told than any buffer holds; each must be answered."""
    with Wire(server.plain) as wire:
        for _ in range(count // 100):
            wire.send(request(LONG) * 100)
            for _ in range(100):
                equal(wire.response().status, 404)


@group.promise("standard output that nobody reads holds nobody up: all are served, what is not told is counted, it stops in time")
def _():
    with Logged(access="stdout") as logged:
        server = logged.server
        server.hold_reading()
        flood(server)
        holds(server.metrics()[DROPPED] > 0, "lines were dropped")
        server.signal(signal.SIGHUP)
        equal(server.curl(PATH).status, 200)
        equal(server.ask_admin("/readyz").status, 200)
        server.signal(signal.SIGTERM)
        equal(server.wait_end(), 0)


@group.promise("when it is read again, lines go on, each whole; those dropped and those told are all there were")
def _():
    with Logged(access="stdout") as logged:
        server = logged.server
        server.hold_reading()
        flood(server)
        eventually(lambda: server.metrics()[DROPPED] > 0, "lines were dropped")
        server.is_read.set()
        with Wire(server.plain) as wire:
            wire.get("/last", "localhost", "X-Request-ID: the-last")
        server.wait_line('"requestID":"the-last"', within=30)
        dropped = server.metrics()[DROPPED]

        def told():
            lines = [json.loads(line) for line in list(server.lines) if line.startswith('{"time"') and "message" not in line]
            return sum(line.get("path", "").startswith("/xxx") for line in lines)

        # Of two workers' lines either may come first.
        eventually(lambda: told() + dropped == 6_000, "all that was not dropped is told")


@group.promise("a full disk holds nobody up: what is not told is counted, and the fault is told once")
def _():
    with Logged(access="/dev/full") as logged:
        server = logged.server
        flood(server, 500)
        eventually(lambda: server.metrics()[DROPPED] >= 500, "all are dropped")
        equal(server.curl(PATH).status, 200)
        equal(len([line for line in server.lines if "access log: /dev/full: No space left on device" in line]), 1)
        server.signal(signal.SIGTERM)
        equal(server.wait_end(), 0)


@group.promise("a file that can't be opened keeps it from starting, in one clear line")
def _():
    world = World(log={"access": "/nowhere/access.log"})
    ended = run(shop().binary, "serve", *world.flags())
    equal(ended.status, 1)
    contains(ended.text, "bridgehost: /nowhere/access.log: No such file or directory (open)")


@group.promise("SIGUSR1 without an access log ends nothing")
def _():
    with World().start() as server:
        server.signal(signal.SIGUSR1)
        contains(server.reload()[0], "reloaded: ")
        equal(server.curl(PATH).status, 200)
