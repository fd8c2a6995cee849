"""A running bridgehost: what it prints, where it listens, how it ends."""
import fcntl
import json
import os
import re
import signal
import subprocess
import threading
import time

from . import tools
from .wire import Wire, tls_context


def environment(extra=None):
    """Ours without what could steer the service, plus what a promise adds."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BRIDGEHOST_")}
    return {**clean, **(extra or {})}


def command(binary, arguments, env=None):
    return tools.run(binary, *arguments, env=environment(env))


class Server:
    """Use it as a context: it is ended and reaped on the way out.

    Of lines that are told in JSON it keeps the message, unless it is `raw`.
    """

    def __init__(self, shop, arguments, env=None, files=None, raw=False):
        if shop.closed:
            raise RuntimeError("the run has ended")
        self.ca = shop.ca
        self.context = None
        limit = ["prlimit", f"--nofile={files}"] if files else []
        self.process = subprocess.Popen(
            [*limit, str(shop.binary), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=environment(env), text=True, errors="replace")
        shop.processes.append(self)
        self.lines, self.raw = [], raw
        self.is_read = threading.Event()
        self.is_read.set()
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.is_read.wait()
            with self.changed:
                self.lines.append(self._message(line.rstrip("\n")))
                self.changed.notify_all()
        with self.changed:
            self.lines.append(None)
            self.changed.notify_all()

    def _message(self, line):
        if self.raw or not line.startswith('{"time":') or ',"message":"' not in line:
            return line
        return json.loads(line)["message"]

    def hold_reading(self):
        """Reads nothing more of what it prints, as a log collector does that hangs, until `is_read` is set again."""
        self.is_read.clear()
        fcntl.fcntl(self.process.stdout, fcntl.F_SETPIPE_SZ, 4_096)

    def stop_reading(self):
        """Closes the pipe that it prints to, as a log collector does that dies."""
        with open(os.devnull) as nothing:
            os.dup2(nothing.fileno(), self.process.stdout.fileno())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.is_read.set()
        self.reader.join(5)
        self.process.stdout.close()

    # What it prints

    @property
    def output(self):
        return "\n".join(line for line in self.lines if line is not None)

    def mark(self):
        return len(self.lines)

    def wait_line(self, pattern, since=0, within=5.0):
        """The first line from a mark on that matches; waits for it to be printed."""
        end = time.monotonic() + within
        with self.changed:
            while True:
                for line in self.lines[since:]:
                    if line is None:
                        raise AssertionError(f"it ended before it said {pattern!r}:\n{self.output}")
                    if re.search(pattern, line):
                        return line
                if not self.changed.wait(max(0, end - time.monotonic())):
                    raise AssertionError(f"it never said {pattern!r}:\n{self.output}")

    def wait_ready(self):
        try:
            self.wait_line(r"^ready$", within=60)
            self.idle_files = self.open_files()
        except AssertionError:
            self.kill()
            raise

    def _ports(self, pattern):
        return [int(m[1]) for m in (re.fullmatch(pattern, line or "") for line in self.lines) if m]

    @property
    def secure(self):
        return self._ports(r"listening https://.*:(\d+)")[0]

    @property
    def plain(self):
        return self._ports(r"listening http://.*:(\d+)")[0]

    @property
    def redirect(self):
        return self._ports(r"listening http://.*:(\d+) \(redirects to https\)")[0]

    @property
    def admin(self):
        return self._ports(r"listening http://.*:(\d+) \(admin\)")[0]

    # Asking it

    def curl(self, path, *options, host="localhost", expect=0):
        """By https, with the run's authority trusted and nothing waved through."""
        options = ["--cacert", self.ca, "--resolve", f"{host}:{self.secure}:127.0.0.1", *options]
        return tools.curl(f"https://{host}:{self.secure}{path}", *options, expect=expect)

    def wire(self, name="localhost", **options):
        self.context = self.context or tls_context(self.ca)
        return Wire(self.secure, self.context, name, **options)

    def ask_admin(self, path, *options):
        return tools.curl(f"http://127.0.0.1:{self.admin}{path}", *options)

    def metrics(self):
        """What /metrics tells: a number by name, labels included."""
        lines = self.ask_admin("/metrics").body.decode().splitlines()
        samples = (line.rpartition(" ") for line in lines if not line.startswith("#"))
        return {name: float(value) if "." in value else int(value) for name, _, value in samples}

    def closes(self, reason):
        """How many connections ended for a reason."""
        return self.metrics()[f'bridgehost_connections_closed_total{{reason="{reason}"}}']

    # What it takes

    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def resident(self):
        """Bytes of memory that are resident."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    # Ending it

    def signal(self, which):
        self.process.send_signal(which)

    def reload(self, within=10):
        """Reads the files again and waits until the workers serve them."""
        mark = self.mark()
        self.signal(signal.SIGHUP)
        line = self.wait_line(r"^(reloaded:|reload refused)", since=mark, within=within)
        return line, "\n".join(x for x in self.lines[mark:] if x is not None)

    def wait_end(self, within=12.0):
        return self.process.wait(within)

    def cpu_ticks(self):
        """Clock ticks of processor time that all its threads have used."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
