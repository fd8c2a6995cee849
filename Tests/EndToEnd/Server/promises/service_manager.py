"""What a service manager is told (sd_notify(3)), and that the unit for systemd is strict and lets the service do all it does."""
import contextlib
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from harness.promises import Broken, Group, contains, equal, eventually, holds
from harness.tools import PATIENCE, run
from harness.world import CHECKOUT, PATH, World, shop

group = Group("Service manager")
UNIT = CHECKOUT / "config/systemd/bridgehost.service"


class Manager:
    """The socket that a service manager listens at."""

    def __init__(self, abstract=False):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.folder = tempfile.mkdtemp(dir=shop().folder)
        path = f"{self.folder}/notify"
        self.socket.bind("\0" + path if abstract else path)
        self.environment = {"NOTIFY_SOCKET": ("@" if abstract else "") + path}
        self.messages = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        shutil.rmtree(self.folder)

    def next(self, within=PATIENCE):
        """The next message as a dictionary; each assignment is on a line of its own."""
        if not select.select([self.socket], [], [], within)[0]:
            raise Broken(f"nothing was told within {within} s, after {self.messages}")
        text = self.socket.recv(65_536).decode()
        self.messages.append(text)
        return dict(line.split("=", 1) for line in text.split("\n"))

    def expect(self, key):
        """The next message other than of the watchdog, which has that assignment."""
        while "WATCHDOG" in (message := self.next()):
            pass
        equal(message.get(key), "1", str(message))
        return message


@contextlib.contextmanager
def managed(abstract=False, **environment):
    world = World()
    with Manager(abstract) as manager, world.start(env={**manager.environment, **environment}) as server:
        yield world, manager, server


@group.each("READY, RELOADING with the time, READY, STOPPING, each with a status, to {}", {
    "a socket's path": False, "an abstract socket": True})
def _(abstract):
    with managed(abstract) as (world, manager, server):
        contains(manager.expect("READY")["STATUS"], "Serving 1 tenants, 1 pages")
        for broken in (False, True):
            world.write("config/tenants/acme.json" if not broken else "config/server.json", '{"bridges": {}}')
            before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1_000
            server.signal(signal.SIGHUP)
            told = manager.expect("RELOADING")
            holds(before <= int(told["MONOTONIC_USEC"]) <= time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1_000, str(told))
            contains(manager.expect("READY")["STATUS"], "Serving 2 tenants, 1 pages")
        server.signal(signal.SIGTERM)
        contains(manager.expect("STOPPING")["STATUS"], "Stopping: 0 connections to end")
        equal(server.wait_end(), 0)


@group.promise("READY comes when pages are served, and not from a service that does not start")
def _():
    with managed() as (_, manager, server):
        manager.expect("READY")
        equal(server.curl(PATH).status, 200)
    world = World()
    world.write("config/server.json", "{")
    with Manager() as manager:
        equal(world.command("serve", env=manager.environment).status, 1)
        equal(select.select([manager.socket], [], [], 0)[0], [], "nothing is told")


@group.promise("WATCHDOG comes again and again, also while it drains, if it is asked for")
def _():
    world = World(timeouts={"drainDelaySeconds": 3})
    with Manager() as manager, world.start(env={**manager.environment, "WATCHDOG_USEC": "20000"}) as server:
        manager.expect("READY")
        for _ in range(5):
            equal(manager.next(), {"WATCHDOG": "1"})
        server.signal(signal.SIGTERM)
        manager.expect("STOPPING")
        equal(manager.next(), {"WATCHDOG": "1"})


@group.each("no WATCHDOG {}", {
    "is told without being asked for": {}, "of 0": {"WATCHDOG_USEC": "0"}, "of what is no number": {"WATCHDOG_USEC": "soon"},
    "that another process was asked for": {"WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"}})
def _(environment):
    with managed(**environment) as (_, manager, server):
        manager.expect("READY")
        server.reload()
        server.signal(signal.SIGTERM)
        equal(server.wait_end(), 0)
        while select.select([manager.socket], [], [], 0)[0]:
            holds("WATCHDOG" not in manager.next(), "no watchdog")


@group.each("a manager that can't be told is no fault: {}", {
    "nobody's path": "/nowhere/notify", "nobody's name": "@bridgehost-nobody", "empty": "", "a relative path": "notify",
    "too long": "/" + "x" * 200, "107 bytes": "/" + "x" * 106, "108 bytes": "/" + "x" * 107, "vsock": "vsock:2:1234"})
def _(path):
    with World().start(env={"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000"}) as server:
        contains(server.reload()[0], "reloaded: ")
        equal(server.curl(PATH).status, 200)
        server.signal(signal.SIGTERM)
        equal(server.wait_end(), 0)


@group.promise("a manager that does not listen any more delays no stop for long")
def _():
    with managed() as (_, manager, server):
        # Its queue is full: what is sent to it would wait.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
            other.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    other.sendto(b"full", manager.environment["NOTIFY_SOCKET"])
        server.signal(signal.SIGTERM)
        equal(server.wait_end(), 0)


@group.promise("healthcheck asks the admin listener that the environment names, by address and port")
def _():
    world = World(admin={"address": "127.0.0.1", "port": 1})
    with socket.socket() as free:
        free.bind(("127.0.0.9", 0))
        port = free.getsockname()[1]
    place = {"BRIDGEHOST_ADMIN_ADDRESS": "127.0.0.9", "BRIDGEHOST_ADMIN_PORT": str(port)}
    with world.start(env=place):
        equal(world.command("healthcheck", env=place).status, 0)
        contains(world.command("healthcheck").text, "Connection refused")
        everywhere = {**place, "BRIDGEHOST_ADMIN_ADDRESS": "0.0.0.0"}
        contains(world.command("healthcheck", env=everywhere).text, "127.0.0.1")
    equal(world.command("healthcheck", env=place).status, 1)


@group.promise("systemd finds nothing wrong with the unit, and rates its exposure below 2.0")
def _():
    text = UNIT.read_text()
    binary = re.search(r"^ExecStart=(\S+)", text, re.M)[1]
    copy = Path(tempfile.mkdtemp(dir=shop().folder)) / UNIT.name
    copy.write_text(text.replace(binary, str(shop().binary)))
    verified = run("systemd-analyze", "verify", "--man=no", copy)
    equal((verified.status, verified.text), (0, ""))
    rated = run("systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", copy)
    equal(rated.status, 0, rated.text[-200:])


def calls(group_name):
    """The system calls of one of systemd's groups, with those of the groups in it."""
    found = set()
    for line in run("systemd-analyze", "syscall-filter", "--no-pager", group_name).out.splitlines()[1:]:
        name = line.strip()
        if name and not name.startswith("#"):
            found |= calls(name) if name.startswith("@") else {name}
    return found


@group.promise("the unit's filter lets through every system call that the service makes: start, pages, reload, challenge, stop")
def _():
    filters = re.findall(r"^SystemCallFilter=(~?)(.*)$", UNIT.read_text(), re.M)
    allowed = set()
    for negated, names in filters:
        for name in names.split():
            allowed = allowed - calls(name) if negated else allowed | calls(name)
    world = World(listeners=[{"address": "127.0.0.1", "port": 0}, {"address": "127.0.0.1", "port": 0, "redirect": True}],
                  challengeDirectory=".")
    trace = world.folder / "trace"
    with Manager() as manager, world.start(env=manager.environment) as server:
        # From outside it is seen from now on; the start is seen in a run of its own below.
        tracer = subprocess.Popen(["strace", "-f", "-qq", "-o", trace, "-p", str(server.process.pid)], stderr=subprocess.PIPE)
        eventually(lambda: "TracerPid:\t0" not in Path(f"/proc/{server.process.pid}/status").read_text(), "traced")
        equal(server.curl(PATH).status, 200)
        equal(server.ask_admin("/metrics").status, 200)
        run("curl", "-s", f"http://127.0.0.1:{server.redirect}/.well-known/acme-challenge/none")
        server.reload()
        server.signal(signal.SIGTERM)
        equal(server.wait_end(), 0)
        tracer.wait(PATIENCE)
    start = world.folder / "start"
    ended = run("strace", "-f", "-qq", "-o", start, shop().binary, "serve", *world.flags(), "--set", "listeners.0.address=203.0.113.1",
                env={**os.environ, "NOTIFY_SOCKET": "/nowhere"}, patience=60)
    contains(ended.text, "203.0.113.1")
    lines = trace.read_text().splitlines() + start.read_text().splitlines()
    made = {match[1] for match in (re.match(r"\d+ +(?:<\.\.\. )?(\w+)(?:\(| resumed)", line) for line in lines) if match}
    holds({"epoll_pwait", "accept4", "sendto", "openat"} <= made, str(made))
    # execve is systemd's own, before its filter holds.
    equal(made - allowed - {"execve"}, set())
