"""The real clients: curl and openssl, each with a bound on its time."""
import importlib.util
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

PATIENCE = 10


def require(binary):
    tools = ("curl", "openssl", "prlimit", "promtool", "slowhttptest", "strace", "systemd-analyze")
    missing = [name for name in tools if not shutil.which(name)]
    if not importlib.util.find_spec("cryptography"):
        missing.append("python3-cryptography")
    if missing:
        sys.exit(f"these tests need {' and '.join(missing)}")
    if not binary.is_file():
        sys.exit(f"{binary} does not exist; build it first")


@dataclass
class Response:
    """An answer as it came, its fields in order."""

    status: int
    reason: str
    version: str
    fields: list = field(default_factory=list)
    body: bytes = b""
    head: bytes = b""

    def all(self, name):
        return [value for key, value in self.fields if key.lower() == name.lower()]

    def one(self, name):
        """The value of a field that must be there once."""
        values = self.all(name)
        if len(values) != 1:
            raise AssertionError(f"{len(values)} fields {name} in a {self.status}, expected one: {self.fields}")
        return values[0]

    def get(self, name):
        values = self.all(name)
        return values[0] if values else None


def parse_head(head):
    lines = head.decode("latin-1").split("\r\n")
    match = re.fullmatch(r"(HTTP/1\.[01]) (\d{3}) ([^\r\n]*)", lines[0])
    if not match:
        raise AssertionError(f"no status line: {lines[0]!r}")
    response = Response(int(match[2]), match[3], match[1], head=head)
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon or not re.fullmatch(r"[A-Za-z0-9-]+", name):
            raise AssertionError(f"no field line: {line!r}")
        response.fields.append((name, value.strip(" ")))
    return response


def curl(url, *options, expect=0):
    """What curl got, unchanged: no redirect followed, no coding undone."""
    command = ["curl", "--disable", "--silent", "--show-error", "--include", "--noproxy", "*", "--http1.1",
               "--max-time", str(PATIENCE), *map(str, options), url]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE + 5)
    if done.returncode != expect:
        raise AssertionError(f"curl ended with {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    if expect != 0:
        return None
    head, separator, body = done.stdout.partition(b"\r\n\r\n")
    if not separator:
        raise AssertionError(f"no answer: {done.stdout[:200]!r}")
    response = parse_head(head)
    response.body = body
    return response


@dataclass
class Run:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def text(self):
        return self.out + self.err


def run(*command, stdin=b"", env=None, cwd=None, patience=PATIENCE):
    done = subprocess.run([str(part) for part in command], input=stdin, capture_output=True, timeout=patience, env=env,
                          cwd=cwd)
    return Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def openssl(*arguments, stdin=b""):
    return run("openssl", *arguments, stdin=stdin)


def s_client(port, *arguments, stdin=b"Q\n"):
    """One connection of openssl's client; `Q` ends it after the handshake."""
    return openssl("s_client", "-connect", f"127.0.0.1:{port}", *arguments, stdin=stdin)
