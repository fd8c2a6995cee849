"""Starts and stops the two servers, and reads from /proc what they cost."""

import glob
import os
import re
import signal
import socket
import subprocess
import time

from exchange import connect


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A running server; `ports` are those of its TLS and of its plain listener."""

    def __init__(self, name, command, log):
        self.name = name
        self.output = open(log, "w+b")
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT)
        self.ports = (0, 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.output.close()

    def log(self):
        with open(self.output.name, "rb") as file:
            return file.read().decode(errors="replace")

    def wait_for_ports(self, seconds=60):
        """Until both listeners take connections."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            if self.find_ports():
                return self
            time.sleep(0.02)
        raise RuntimeError(f"{self.name} did not start:\n{self.log()}")

    def find_ports(self):
        try:
            for port in self.ports:
                connect(port, secure=False).close()
            return True
        except OSError:
            return False

    @property
    def worker(self):
        return self.process.pid

    def nanoseconds(self):
        """CPU time, user and system, of all the worker's threads; the scheduler's own count."""
        time.sleep(0.02)  # A thread that runs is counted up to the last tick; an idle one to the end.
        total = 0
        for path in glob.glob(f"/proc/{self.worker}/task/*/schedstat"):
            with open(path) as file:
                total += int(file.read().split()[0])
        return total

    def memory(self, field, pid=None):
        """A field of the process's memory in KiB, as Rss, Anonymous or Private_Dirty."""
        with open(f"/proc/{pid or self.worker}/smaps_rollup") as file:
            return int(re.search(rf"^{field}:\s+(\d+) kB", file.read(), re.M)[1])

    def resident(self):
        """KiB resident."""
        return self.memory("Rss")


class Bridgehost(Server):
    def __init__(self, binary, config, public, log, *options):
        super().__init__("bridgehost", [binary, "serve", "--config", config, "--public", public, *options], log)

    def find_ports(self):
        secure = re.search(r"^listening https://127\.0\.0\.1:(\d+)", self.log(), re.M)
        plain = re.search(r"^listening http://127\.0\.0\.1:(\d+)", self.log(), re.M)
        if not secure or not plain or "\nready" not in self.log():
            return False
        self.ports = (int(secure[1]), int(plain[1]))
        return super().find_ports()


class Nginx(Server):
    def __init__(self, config, ports, log):
        os.environ["PATH"] += ":/usr/sbin"
        super().__init__("nginx", ["nginx", "-e", "stderr", "-c", config], log)
        self.ports = ports

    @property
    def worker(self):
        """The master's one child."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            return int(file.read().split()[0])

    def resident(self):
        """The worker's, and what the master has for itself alone."""
        master = self.process.pid
        return self.memory("Rss") + self.memory("Private_Dirty", master) + self.memory("Private_Clean", master)
