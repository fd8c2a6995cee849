"""A running HAProxy: its configuration, the ports that it listens at, and what it thinks of its servers."""
import csv
import itertools
import socket
import subprocess

from harness import world
from harness.promises import eventually

PREAMBLE = """
global
    maxconn 500
    stats socket {control} mode 600 level admin
defaults
    timeout connect 5s
    timeout client 90s
    timeout server 90s
"""
_numbers = itertools.count(1)


class Balancer:
    """Use it as a context. In the text `{name}` stands for where the frontend of that name binds; others are values.

    The sockets are made here, so that the system chooses the ports and nobody can take them in between.
    """

    def __init__(self, text, frontends, **values):
        self.folder = world.shop().folder / f"haproxy-{next(_numbers)}"
        self.folder.mkdir()
        self.control = self.folder / "control"
        self.sockets = {name: socket.create_server(("127.0.0.1", 0), backlog=512) for name in frontends}
        binds = {name: f"fd@{one.fileno()}" for name, one in self.sockets.items()}
        file = self.folder / "haproxy.cfg"
        file.write_text((PREAMBLE + text).format(control=self.control, **binds, **values))
        self.log = open(self.folder / "log", "w")
        self.process = subprocess.Popen(
            ["haproxy", "-db", "-f", file], stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
            pass_fds=[one.fileno() for one in self.sockets.values()])
        world.shop().processes.append(self)
        try:
            eventually(self._answers, "HAProxy runs", within=20)
        except BaseException:
            self.kill()
            raise

    def _answers(self):
        if self.process.poll() is not None:
            raise AssertionError(f"HAProxy ended: {(self.folder / 'log').read_text()[-900:]}")
        try:
            return "Uptime" in self.command("show info")
        except OSError:
            return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.log.close()
        for one in self.sockets.values():
            one.close()

    def port(self, name):
        return self.sockets[name].getsockname()[1]

    def command(self, text):
        """What the runtime API answers."""
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(5)
            control.connect(str(self.control))
            control.sendall(text.encode() + b"\n")
            parts = iter(lambda: control.recv(65_536), b"")
            return b"".join(parts).decode()

    def servers(self):
        """By backend and server, what its statistics say."""
        rows = csv.DictReader(self.command("show stat").lstrip("# ").splitlines())
        return {(row["pxname"], row["svname"]): row for row in rows}

    def state(self, backend, server):
        return self.servers()[backend, server]["status"]

    def move(self, backend, server, port, check_port):
        """Tells it where a server is now, as a service discovery does."""
        for words in (f"addr 127.0.0.1 port {port}", f"check-port {check_port}"):
            answer = self.command(f"set server {backend}/{server} {words}")
            if "rror" in answer or "nvalid" in answer:
                raise AssertionError(answer)
