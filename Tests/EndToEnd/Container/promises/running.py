"""A container of the image with the files that it ships: its rights, its health, its end."""
import os
import time

from harness.promises import Group, contains, equal, eventually, holds
from harness.wire import request
from kit import container
from kit.shop import shop

PAGE = "/demo/talkdesk-chat-bridge.html"
FOLDER = "/etc/bridgehost"


def certified():
    """Options that give the container the run's certificate, its key for its user alone."""
    folder = shop().folder / "certificates"
    if not folder.exists():
        folder.mkdir()
        for name, file in (("tls.crt", "chain"), ("tls.key", "key")):
            (folder / name).write_bytes(open(shop().certificate[file], "rb").read())
        os.chown(folder / "tls.key", container.USER, container.USER)
        (folder / "tls.key").chmod(0o400)
    return [*container.mounts({f"{FOLDER}/certificates": folder}),
            "--env", f"BRIDGEHOST_CERTIFICATES_0_CHAIN={FOLDER}/certificates/tls.crt",
            "--env", f"BRIDGEHOST_CERTIFICATES_0_KEY={FOLDER}/certificates/tls.key"]


def run(*options, arguments=()):
    return container.ready(shop().store, shop().image, [*certified(), *options], arguments)


def setup():
    with run() as one:
        yield one


group = Group("Container", setup)


@group.promise("user 10001 without a capability, without a way to get one, under a system call filter")
def _(one):
    status = one.status()
    equal((status["Uid"].split(), status["Gid"].split()), (["10001"] * 4, ["10001"] * 4))
    equal({status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}, {"0" * 16})
    equal((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"))


@group.promise("it needs nothing to write: its root is read-only and no file is open for writing")
def _(one):
    with open(f"/proc/{one.pid}/mountinfo") as file:
        mounts = {fields[4]: fields[5].split(",") for fields in map(str.split, file)}
    contains(mounts["/"], "ro")
    for number in os.listdir(f"/proc/{one.pid}/fd"):
        target = os.readlink(f"/proc/{one.pid}/fd/{number}")
        holds(number in "012" or not target.startswith("/"), f"{target} is open")


@group.promise("it listens where the network reaches it, but for the admin listener, and says so on its output")
def _(one):
    for line in ("listening https://0.0.0.0:8443", "listening http://0.0.0.0:8080 (redirects to https)",
                 "listening http://127.0.0.1:8081 (admin)"):
        contains(one.log.splitlines(), line)


@group.promise("a page over TLS, with a certificate that the client checks; the other port redirects to it")
def _(one):
    answer = one.curl(f"https://localhost:8443{PAGE}", "--cacert", shop().ca)
    equal(answer.status, 200)
    contains(answer.body.decode(), "bridge-config")
    equal(one.curl(f"http://localhost:8080{PAGE}").status, 308)


@group.promise("the health check says healthy")
def _(one):
    equal(one.healthcheck(), 0)


@group.promise("the program lies at another address in every container")
def _(one):
    def base(of):
        with open(f"/proc/{of.pid}/maps") as file:
            return next(line.split("-")[0] for line in file if line.rstrip().endswith("/bridgehost"))

    with run() as other:
        holds(base(one) != base(other), "the same address twice")


@group.promise("as many workers as the quota has processors, without one as many as the machine")
def _(one):
    contains(one.log, f", {len(os.sched_getaffinity(0))} workers")
    with run("--cpus", "1") as bounded:
        contains(bounded.log, ", 1 workers")


@group.promise("SIGTERM: what was begun is answered, then it ends with 0 before the engine's patience does")
def _(_):
    with run() as one, one.wire(shop().ca) as wire:
        equal(wire.get(PAGE).status, 200)
        # Half of the second request travels with the whole first, so that it has come when the first is answered.
        wire.send(request(PAGE) + request(PAGE)[:20]).response()
        begun = time.monotonic()
        one.signal("TERM")
        one.wait_line("^stopping: ")
        equal(one.state[0], "running")
        answer = wire.send(request(PAGE)[20:]).response()
        equal((answer.status, answer.one("Connection")), (200, "close"))
        equal(one.wait_end(), 0)
        holds(time.monotonic() - begun < 10, "docker stop waits 10 s")


@group.promise("while it drains the health check says unhealthy, and pages are served")
def _(_):
    with run("--env", "BRIDGEHOST_TIMEOUTS_DRAIN_DELAY_SECONDS=600") as one:
        one.signal("TERM")
        eventually(lambda: one.healthcheck() == 1, "unhealthy", 20)
        equal(one.curl(f"https://localhost:8443{PAGE}", "--cacert", shop().ca).status, 200)
        # A second one ends it at once.
        one.signal("TERM")
        equal(one.wait_end(), 0)


@group.promise("without a certificate it serves with one of its own, and says so")
def _(_):
    with container.ready(shop().store, shop().image) as one:
        contains(one.log, "a self-signed one for localhost was made")
        equal(one.curl(f"https://localhost:8443{PAGE}", "--insecure").status, 200)


@group.promise("what it can't serve ends it with 1, named on its error output")
def _(_):
    with container.Container(shop().store, shop().image, ["--env", "BRIDGEHOST_WORKERS=many"]) as one:
        equal(one.wait_end(), 1)
        contains(one.log, "environment variable BRIDGEHOST_WORKERS")
