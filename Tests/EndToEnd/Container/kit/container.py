"""One container of the image, run as README says: nothing to write, no rights, no way to get any."""
import contextlib
import itertools
import os
import re

from harness.promises import eventually
from harness.wire import tls_context

from . import namespace

NUMBERS = itertools.count(1)
USER = 10001
CONFINED = ("--network", "none", "--read-only", "--read-only-tmpfs=false", "--cap-drop", "all", "--security-opt",
            "no-new-privileges", "--pids-limit", "64", "--memory", "256m")


class Container:
    def __init__(self, store, image, options=(), arguments=()):
        self.store, self.name = store, f"bridgehost-{os.getpid()}-{next(NUMBERS)}"
        store.podman("run", "--detach", "--name", self.name, *CONFINED, *options, image, *arguments)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.store.podman("rm", "--force", "--time", "0", "--volumes", self.name)

    @property
    def log(self):
        done = self.store.podman("logs", self.name)
        return done.stdout + done.stderr

    @property
    def pid(self):
        return int(self.store.inspect(self.name, "{{.State.Pid}}"))

    @property
    def state(self):
        """Whether it runs, and how it ended."""
        state, code = self.store.inspect(self.name, "{{.State.Status}} {{.State.ExitCode}}").split()
        return state, int(code)

    def wait_line(self, pattern, within=30):
        def look():
            if re.search(pattern, self.log, re.M):
                return True
            if self.state[0] not in ("running", "created"):
                raise AssertionError(f"it ended before it said {pattern!r}:\n{self.log}")
            return False

        try:
            eventually(look, pattern, within)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.log}") from error
        return self

    def wait_ready(self):
        return self.wait_line("^ready$")

    def status(self):
        """What the kernel says of its process: a value by name."""
        with open(f"/proc/{self.pid}/status") as file:
            return {name: value.strip() for name, _, value in (line.partition(":") for line in file)}

    def curl(self, url, *options):
        return namespace.curl(self.pid, url, *options)

    def wire(self, ca, port=8443, name="localhost"):
        return namespace.wire(self.pid, port, context=tls_context(ca), name=name)

    def signal(self, name):
        self.store.podman("kill", "--signal", name, self.name)

    def healthcheck(self):
        return self.store.podman("healthcheck", "run", self.name, check=False).returncode

    def wait_end(self, within=20):
        eventually(lambda: self.state[0] == "exited", "it ends", within)
        return self.state[1]


@contextlib.contextmanager
def ready(*given, **options):
    with Container(*given, **options) as one:
        yield one.wait_ready()


def mounts(folders):
    """Options that mount folders, read-only, each at a path of the container."""
    return [part for path, folder in folders.items() for part in ("--volume", f"{folder}:{path}:ro")]
