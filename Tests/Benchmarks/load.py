"""The scenarios, and the load that each puts on a server: bounded in time and connections, on loopback alone."""

import http.client
import os
import re
import ssl
import subprocess
import tempfile
from dataclasses import dataclass

from servers import PAGE, TENANTS

CONNECTIONS = 16


@dataclass
class Scenario:
    name: str
    # The most CPU that we may take of what nginx takes.
    target: float
    tls: bool = False
    fields: str = ""
    status: int = 200
    pipelined: int = 1
    tenants: int = 1
    handshakes: bool = False


SCENARIOS = [
    Scenario("plaintext keep-alive", 0.70),
    Scenario("304", 0.70, status=304),
    Scenario("1,000 tenants at random", 0.70, tenants=len(TENANTS)),
    Scenario("16 pipelined", 0.30, pipelined=16),
    Scenario("TLS 1.3 keep-alive", 0.75, tls=True),
    Scenario("gzip over TLS", 0.75, tls=True, fields="Accept-Encoding: gzip\r\n"),
    Scenario("full TLS handshake", 0.95, tls=True, handshakes=True),
]


class Load:
    def __init__(self, scenario, seconds):
        self.scenario = scenario
        self.seconds = seconds

    def check(self, server):
        """Asks once and compares; remembers the tag that makes a 304."""
        answer, content = self._ask(server, {})
        if answer.status != 200 or b"bridge-config" not in content:
            raise SystemExit("%s: wrong answer: %d" % (self.scenario.name, answer.status))
        self.tags = getattr(self, "tags", {})
        self.tags[server] = answer.getheader("ETag")
        if self.scenario.status == 304:
            answer, content = self._ask(server, {"If-None-Match": self.tags[server]})
            if answer.status != 304 or content:
                raise SystemExit("304: wrong answer: %d" % answer.status)
        if self.scenario.fields:
            answer, content = self._ask(server, {"Accept-Encoding": "gzip"})
            if answer.getheader("Content-Encoding") != "gzip":
                raise SystemExit("gzip: not compressed")

    def _ask(self, server, fields):
        connection = http.client.HTTPConnection("127.0.0.1", server.plain)
        if self.scenario.tls:
            context = ssl._create_unverified_context()
            connection = http.client.HTTPSConnection("127.0.0.1", server.secure, context=context)
        connection.request("GET", "/t0/" + PAGE, headers={"Host": "localhost", **fields})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content

    def microseconds_per_request(self, server):
        before = server.cpu_nanoseconds()
        requests = self._handshakes(server) if self.scenario.handshakes else self._requests(server)
        return (server.cpu_nanoseconds() - before) / 1000 / requests

    def _requests(self, server):
        scheme, port = ("https", server.secure) if self.scenario.tls else ("http", server.plain)
        with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
            script.write(self._script(server))
            script.flush()
            output = subprocess.run(
                ["wrk", "-t1", "-c%d" % CONNECTIONS, "-d%ds" % self.seconds, "-s", script.name,
                 "%s://127.0.0.1:%d" % (scheme, port)], check=True, capture_output=True, text=True).stdout
        if "Non-2xx" in output and self.scenario.status == 200 or "Socket errors" in output:
            raise SystemExit(output)
        return int(re.search(r"(\d+) requests in", output)[1])

    def _script(self, server):
        fields = self.scenario.fields
        if self.scenario.status == 304:
            fields += "If-None-Match: %s\r\n" % self.tags[server]
        request = "GET /t%s/" + PAGE + " HTTP/1.1\\r\\nHost: localhost\\r\\n" \
            + fields.replace("\r\n", "\\r\\n").replace('"', '\\"') + "\\r\\n"
        return 'local all = {}\nfor i = 0, %d do all[i] = string.rep("%s", %d) end\n' \
               "request = function() return all[math.random(0, %d)] end\n" % (
                   self.scenario.tenants - 1, request % '" .. i .. "', self.scenario.pipelined,
                   self.scenario.tenants - 1)

    def _handshakes(self, server):
        output = subprocess.run(
            ["openssl", "s_time", "-new", "-connect", "127.0.0.1:%d" % server.secure, "-time", str(self.seconds)],
            capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout
        return int(re.search(r"(\d+) connections in \d+ real seconds", output)[1])
