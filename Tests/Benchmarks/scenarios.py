"""The scenarios: what is asked, whether both answer alike, and the load that is put on them."""

import random
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from exchange import Answer, connect, fetch, read_answer, request
from fixture import OWN_FIELDS, PAGE, PATH, TENANTS

CONNECTIONS = 16
DEPTH = 16
SCRIPT = str(Path(__file__).with_name("load.lua"))


class WrongAnswer(Exception):
    """A server answered something else than it should, or than the other."""


@dataclass
class Scenario:
    name: str
    target: float
    secure: bool = False
    gzip: bool = False
    conditional: bool = False
    script: list = field(default_factory=list)

    @property
    def path(self):
        return f"/t0001/{PAGE}" if self.script[:1] == ["tenants"] else PATH

    def fields(self, port):
        fields = [("Accept-Encoding", "gzip")] if self.gzip else []
        if self.conditional:
            page = fetch(port, self.secure, request(self.path))[0]
            fields.append(("If-None-Match", page.field("etag")))
        return fields

    def answers(self, port):
        """Some answers, asked for as the load will ask."""
        message = request(self.path, *self.fields(port))
        if self.script[:1] == ["pipelined"]:
            return fetch(port, self.secure, *[message] * DEPTH)
        if self.script[:1] == ["tenants"]:
            names = random.Random(1).sample(range(1, TENANTS + 1), 20)
            return fetch(port, self.secure, *(request(f"/t{name:04d}/{PAGE}") for name in names))
        return fetch(port, self.secure, message)

    def verify(self, answer, counterpart):
        expect(answer.status == (304 if self.conditional else 200), self, f"status {answer.status}")
        expect(answer.status == counterpart.status, self, "another status")
        expect(answer.body == counterpart.body, self, "other bytes")
        expect(shared_fields(answer) == shared_fields(counterpart), self, "other fields")
        expect((answer.field("content-encoding") == "gzip") == self.gzip, self, "another encoding")
        expect(bool(answer.body) != self.conditional, self, "no page")

    def load(self, port, length, seconds):
        """Puts on load; the number of answers."""
        headers = [("Host", "localhost"), *self.fields(port)]
        url = f"http{'s' if self.secure else ''}://127.0.0.1:{port}{self.path}"
        output = command(
            ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", SCRIPT,
             *(part for name, value in headers for part in ("-H", f"{name}: {value}")),
             url, "--", *self.script], seconds)
        requests, size, errors = map(int, re.search(r"RESULT (\d+) (\d+) (\d+)", output).groups())
        expect(errors == 0, self, f"{errors} errors under load")
        # wrk counts an answer when it is whole, and bytes as they come.
        begun = CONNECTIONS * DEPTH * length
        expect(requests * length <= size <= requests * length + begun, self, "answers of another length under load")
        return requests


@dataclass
class Handshake(Scenario):
    """A page on a connection of its own, never resumed: HTTP/1.0, as `openssl s_time` speaks it."""

    secure: bool = True

    @property
    def target_form(self):
        # s_time sends no Host, so the host stands in the target.
        return f"https://localhost{PATH}"

    def answers(self, port):
        with connect(port, secure=True) as connection:
            expect(connection.version() == "TLSv1.3", self, connection.version())
            connection.sendall(f"GET {self.target_form} HTTP/1.0\r\n\r\n".encode())
            answer, rest = read_answer(connection)
            expect(not rest and not connection.recv(1), self, "the connection stays open")
            return [answer]

    def load(self, port, length, seconds):
        output = command(
            ["openssl", "s_time", "-connect", f"127.0.0.1:{port}", "-new", "-time", str(seconds),
             "-www", self.target_form], seconds)
        connections, size = re.search(r"(\d+) connections in \d+ real seconds, (\d+) bytes read", output).groups()
        expect(int(size) == length, self, f"answers of {size} bytes under load")
        return int(connections)


def expect(condition, scenario, complaint):
    if not condition:
        raise WrongAnswer(f"{scenario.name}: {complaint}")


def shared_fields(answer: Answer):
    """The fields that both must send alike; nginx has one set for all tenants, whose names differ in a path."""
    own = OWN_FIELDS if answer.status == 304 else OWN_FIELDS - {"content-type", "content-length"}
    # Both make an id for each request.
    return sorted((name.lower(), "" if name.lower() == "x-request-id" else re.sub(r"/reports/t\d{4}/", "/reports/TENANT/", value))
                  for name, value in answer.fields if name.lower() not in own)


def command(arguments, seconds):
    started = time.monotonic()
    result = subprocess.run(arguments, capture_output=True, text=True, timeout=seconds + 30)
    if result.returncode != 0:
        raise RuntimeError(f"{arguments[0]} failed after {time.monotonic() - started:.1f} s:\n{result.stderr}")
    return result.stdout


SCENARIOS = [
    Scenario("plain", 0.70),
    Scenario("304", 0.70, conditional=True),
    Scenario("tenants", 0.70, script=["tenants", str(TENANTS), PAGE]),
    Scenario("tls", 0.75, secure=True),
    Scenario("gzip", 0.75, secure=True, gzip=True),
    Scenario("pipelined", 0.30, script=["pipelined", str(DEPTH)]),
    Handshake("handshake", 0.95),
]
